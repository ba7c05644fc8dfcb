"""A worker for BuildGrid, whose package has none: takes one action at a time, and runs it on the files that the action names.

    @buildgrid_python//:python worker.py --server=127.0.0.1:50051 --folder=FOLDER --hide=FOLDER --property=gpu=NAME

A fixture of ci/checks/remote_execution.py, not a product: what an action does is kept from the folders of --hide and from
nothing else. Files are kept by digest in FOLDER/cache and hard-linked into each action's folder, so LibTorch comes once and
not once an action. --lose=NAME leaves out inputs of that name, as a broken worker would. For each action FOLDER/log.jsonl
gets one line when it starts and one when it ends; for each file that is fetched and larger than 1 MB, one.
"""

import argparse
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import grpc
from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2
from buildgrid._protos.google.devtools.remoteworkers.v1test2 import bots_pb2, bots_pb2_grpc
from buildgrid.server.client.cas import download, upload

_ACTIVE, _COMPLETED = bots_pb2.LeaseState.ACTIVE, bots_pb2.LeaseState.COMPLETED
_INTERNAL = 13  # google.rpc.Code
_LARGE = 1 << 20

# With mounts of its own, and ended with the worker.
_RUN = ["setpriv", "--pdeathsig=KILL", "unshare", "--mount", "--fork", "--kill-child", "sh", "-c"]
_HIDE = 'while [ "$1" != -- ]; do mount -t tmpfs -o size=4k none "$1" || exit 125; shift; done; shift; exec "$@"'


class Worker:
    def __init__(self, arguments):
        self._arguments = arguments
        self._name = os.path.basename(arguments.folder)
        self._channel = grpc.insecure_channel(arguments.server, options=[("grpc.max_receive_message_length", -1)])
        self._directories = {}
        self._cache = os.path.join(arguments.folder, "cache")
        os.makedirs(self._cache, exist_ok=True)
        self._log = open(os.path.join(arguments.folder, "log.jsonl"), "a", buffering=1, encoding="utf-8")

    def log(self, **fields):
        print(json.dumps(fields), file=self._log)

    def _cached(self, node):
        return os.path.join(self._cache, node.digest.hash + ("x" if node.is_executable else ""))

    def _fetch_directories(self, source, root):
        """The directories below a digest into self._directories, level by level."""
        wanted = [root]
        while wanted:
            missing = {digest.hash: digest for digest in wanted if digest.hash not in self._directories}
            digests = list(missing.values())
            for digest, found in zip(digests, source.get_messages(digests, [remote_execution_pb2.Directory() for _ in digests])):
                self._directories[digest.hash] = found
            wanted = [node.digest for digest in wanted for node in self._directories[digest.hash].directories]

    def _nodes(self, digest, folder):
        """(path, node) of each file and link below a directory, which is made."""
        os.makedirs(folder, exist_ok=True)
        directory = self._directories[digest.hash]
        for node in [*directory.files, *directory.symlinks]:
            yield os.path.join(folder, node.name), node
        for node in directory.directories:
            yield from self._nodes(node.digest, os.path.join(folder, node.name))

    def _lay_out(self, source, digest, folder):
        self._fetch_directories(source, digest)
        nodes = [(path, node) for path, node in self._nodes(digest, folder) if node.name not in self._arguments.lose]
        files = [(path, node) for path, node in nodes if hasattr(node, "digest")]
        fetched = {self._cached(node): node for _, node in files if not os.path.exists(self._cached(node))}
        for path, node in fetched.items():
            source.download_file(node.digest, path + ".part", is_executable=node.is_executable)
            if node.digest.size_bytes > _LARGE:
                self.log(fetched=node.name, digest=node.digest.hash)
        source.flush()
        for path in fetched:
            os.rename(path + ".part", path)
        for path, node in files:
            os.link(self._cached(node), path)
        for path, node in nodes:
            if not hasattr(node, "digest"):
                os.symlink(node.target, path)

    def _execute(self, command, limit_s, folder, cancelled):
        """(exit code, stdout, stderr) of a command in its folder; it is killed at its limit, or when nobody waits any more."""
        outputs = [*command.output_files, *command.output_paths, *(path + "/." for path in command.output_directories)]
        for path in outputs:
            os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
        environment = {v.name: v.value for v in command.environment_variables}
        words = [*_RUN, _HIDE, "sh", *self._arguments.hide, "--", *command.arguments]
        process = subprocess.Popen(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        end = time.monotonic() + limit_s
        while True:
            try:
                # Until the pipes end: Bazel's start of a test copies the test's output, and ends later than the test.
                out, err = process.communicate(timeout=0.5)
                return process.returncode, out, err
            except subprocess.TimeoutExpired:
                if cancelled.is_set() or time.monotonic() > end:
                    process.kill()
                    return 128 + signal.SIGKILL, b"", b"worker: killed, cancelled or at its limit\n"

    def _store(self, target, command, folder, result):
        for path in [*command.output_files, *command.output_directories, *command.output_paths]:
            full = os.path.join(folder, path)
            if os.path.isfile(full):
                digest = target.upload_file(full)
                result.output_files.add(path=path, digest=digest, is_executable=os.access(full, os.X_OK))
            elif os.path.isdir(full):
                result.output_directories.add(path=path, tree_digest=target.upload_tree(full))

    def run(self, payload, cancelled):
        result = remote_execution_pb2.ActionResult()
        result.execution_metadata.worker = self._name
        root = tempfile.mkdtemp(prefix="action.", dir=self._arguments.folder)
        try:
            with download(self._channel, instance="") as source:
                action, digest = remote_execution_pb2.Action(), remote_execution_pb2.Digest()
                if not payload.Unpack(action):
                    payload.Unpack(digest)
                    action = source.get_message(digest, action)
                command = source.get_message(action.command_digest, remote_execution_pb2.Command())
                self._lay_out(source, action.input_root_digest, root)
            platform = {p.name: p.value for p in [*command.platform.properties, *action.platform.properties]}
            outputs = [*command.output_files, *command.output_directories, *command.output_paths]
            what = {"words": list(command.arguments)[:3], "output": outputs[:1], "platform": platform}
            folder = os.path.join(root, command.working_directory)
            self.log(started=what)
            result.execution_metadata.execution_start_timestamp.GetCurrentTime()
            result.exit_code, out, err = self._execute(command, action.timeout.seconds or 3600, folder, cancelled)
            result.execution_metadata.execution_completed_timestamp.GetCurrentTime()
            with upload(self._channel, instance="") as target:
                self._store(target, command, folder, result)
                result.stdout_digest.CopyFrom(target.put_blob(io.BytesIO(out)))
                result.stderr_digest.CopyFrom(target.put_blob(io.BytesIO(err)))
            self.log(ended=what, exit_code=result.exit_code)
        finally:
            shutil.rmtree(root)
        return result

    def _begin(self, lease):
        job = {"cancelled": threading.Event(), "done": threading.Event(), "result": None, "error": ""}

        def work(payload):
            try:
                job["result"] = self.run(payload, job["cancelled"])
            except Exception as e:  # told to the server, which tells Bazel
                job["error"] = "worker %s: %r" % (self._name, e)
                self.log(error=job["error"])
            job["done"].set()

        threading.Thread(target=work, args=[lease.payload], daemon=True).start()
        return job

    def serve(self):
        """Takes actions until the connection is lost."""
        stub = bots_pb2_grpc.BotsStub(self._channel)
        session = bots_pb2.BotSession(bot_id=self._name, status=bots_pb2.BotStatus.OK)
        device = session.worker.devices.add(handle=self._name)
        for name, value in self._arguments.property:
            device.properties.add(key=name, value=value)
        session = stub.CreateBotSession(bots_pb2.CreateBotSessionRequest(parent="", bot_session=session), timeout=30)
        jobs = {}
        while True:
            known = {lease.id: lease for lease in session.leases}
            for id in [id for id in jobs if id not in known]:
                jobs.pop(id)["cancelled"].set()
            for id, lease in known.items():
                if lease.state == _ACTIVE and id not in jobs:
                    jobs[id] = self._begin(lease)
            for id, job in jobs.items():
                if job["done"].wait(1):  # the server hears each second that this worker lives
                    known[id].state = _COMPLETED
                    if job["result"]:
                        known[id].result.Pack(job["result"])
                    else:
                        known[id].status.code, known[id].status.message = _INTERNAL, job["error"]
            session = stub.UpdateBotSession(bots_pb2.UpdateBotSessionRequest(name=session.name, bot_session=session), timeout=15)


def main(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", required=True, help="HOST:PORT")
    parser.add_argument("--folder", required=True, help="of this worker alone, on one file system; its name is the worker's")
    parser.add_argument("--hide", action="append", default=[], help="a folder that actions see empty")
    parser.add_argument("--lose", action="append", default=[], help="base name of input files that are left out")
    parser.add_argument("--property", action="append", default=[], type=lambda text: text.split("=", 1), help="NAME=VALUE")
    worker = Worker(parser.parse_args(words))
    while True:
        try:
            worker.serve()
        except grpc.RpcError as e:
            worker.log(session_lost=e.code().name, details=e.details())
            time.sleep(1)


if __name__ == "__main__":
    main(sys.argv[1:])
