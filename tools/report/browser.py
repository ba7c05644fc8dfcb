"""For tests: a headless Chromium, driven by its DevTools protocol over a pipe, so that no port is open and no driver is needed.

with Browser(find(), folder) as browser:
    browser.open("/tmp/report.html")
    browser.evaluate("document.title")
    browser.screenshot("page.png")
    browser.errors        # what the console showed, exceptions, and addresses that the page asked for
"""

import base64
import contextlib
import json
import os
import select
import shutil
import subprocess
import time

_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")  # Debian's first
_SECONDS = 60


def find():
    """The path of a Chromium, or None. ASSAY_CHROMIUM names another."""
    return os.environ.get("ASSAY_CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)


class Browser:
    def __init__(self, program, folder, width=1280, height=900):
        """`folder` takes the browser's own files."""
        self.errors, self._number, self._left = [], 0, b""
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()

        words = [
            program,
            "--headless=new",
            "--remote-debugging-pipe",
            "--user-data-dir=" + os.path.join(folder, "browser"),
            "--no-first-run",
        ]
        words += [
            "--disable-gpu",
            "--hide-scrollbars",
            "--disable-background-networking",
            "--disable-component-update",
            "--force-color-profile=srgb",
        ]
        words += ["--no-sandbox"] * (os.geteuid() == 0)  # which Chromium refuses to root
        wired = 'exec "$@" 3<&%d 4>&%d' % (theirs_in, theirs_out)  # the protocol's descriptors are 3 and 4
        self._process = subprocess.Popen(
            ["sh", "-c", wired, "sh", *words, "about:blank"],
            pass_fds=(theirs_in, theirs_out),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_CACHE_HOME": folder},
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._session = None
        try:
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                self.call(domain + ".enable")
            self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        except Exception:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._session = None
        with contextlib.suppress(RuntimeError, OSError, EOFError):
            self.call("Browser.close")
        try:
            self._process.wait(_SECONDS)  # for its children, too, which write to its folder until then
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._in)
        os.close(self._out)

    def call(self, method, **parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + _SECONDS
        while True:
            answer = self._next(deadline, method)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]["message"]))
                return answer["result"]

    def _next(self, deadline, method):
        while b"\0" not in self._left:
            if not select.select([self._in], [], [], max(deadline - time.monotonic(), 0))[0]:
                raise TimeoutError("the browser did not answer %s within %d s" % (method, _SECONDS))
            read = os.read(self._in, 1 << 20)
            if not read:
                raise EOFError("the browser ended")
            self._left += read
        message, self._left = self._left.split(b"\0", 1)
        event = json.loads(message)
        self._note(event.get("method"), event.get("params", {}))
        return event

    def _note(self, method, parameters):
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "assert"):
            self.errors.append(" ".join(str(a.get("value", a.get("description"))) for a in parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.errors.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            url = parameters["request"]["url"]
            if not url.startswith(("file:", "data:", "blob:", "about:")):
                self.errors.append("asked the network for " + url)

    def open(self, path):
        """Returns when its first picture is drawn: seconds until its table was there, until the picture was."""
        begun = time.monotonic()
        self.call("Page.navigate", url="file://" + path)
        while not self.evaluate("document.documentElement?.dataset.drawnMs"):
            if time.monotonic() > begun + _SECONDS:
                raise TimeoutError("the page is not drawn after %d s: %s" % (_SECONDS, self.errors))
            time.sleep(0.01)
        return [self.evaluate("document.documentElement.dataset.%sMs / 1000" % what) for what in ("ready", "drawn")]

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", expression))
        return result["result"].get("value")

    def press(self, key, text=""):
        for kind in ("keyDown", "keyUp"):
            more = {"text": text} if text and kind == "keyDown" else {}
            codes = {"Enter": 13, "Escape": 27, "Tab": 9, "ArrowRight": 39, "ArrowLeft": 37}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=codes.get(key, 0), **more)

    def emulate(self, scheme="light", media=""):
        self.call("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self, path, whole=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as f:
            f.write(base64.b64decode(data))
