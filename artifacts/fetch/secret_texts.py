"""Takes secrets out of texts: of records, of exports, of the page, of what the gate and other programs say.

    clean_text("--api-key abc: it failed")           # "--api-key *** it failed"
    clean_text("git clone me:abc@host/x")            # "git clone me:***@host/x"
    clean_words(["curl", "-u", "me:abc", "host"])    # ["curl", "-u", "***", "host"]
    is_secret_name("HF_TOKEN")                       # True

A value goes where its name says that it is a secret (secret_names.inc), however short it is: NAME=value, NAME => value,
--name value, NAME: value, "name": "value". An address loses user, password and query, where signatures stand. secret_forms.inc
has what is known by its shape or by the words before it. tools/suite/secrets/secret_texts.cc does the same in C++, by the same
lists.
"""

import functools
import os
import re

HIDDEN = "***"
_HERE = os.path.dirname(os.path.abspath(__file__))
# Before a colon or an arrow, and in an object, these are other things by themselves: a forward pass, a key of a table, an
# operator's signature.
_ORDINARY = ("KEY", "PASS", "PAT", "SIGNATURE")
# A name, and what stands between it and its value.
_NAMED = re.compile(
    r"(?<![\w.-])(?P<dashes>-{0,2})(?P<name>[A-Za-z_][\w.-]*)\\*[\"']?"
    r"(?P<between>\s*(?:=>|->|→|:=|==|[=:])\s*|\s+(?![-=:\s→]))",
    re.ASCII,
)
# In quotes, also where the end of the text has cut off the second one. What is hidden already ends where it does.
_VALUE = re.compile(r"\*{3}(?![^\s\"',;:)\]}&])|(\\*)\"(?:[^\"\\]|\\.)*?\1\"|'[^']*'|\\*[\"'][^\r\n]*|[^\s\"']+", re.ASCII)
_REST = re.compile(r"[^\r\n]+")  # of a header, whose value may be of many words
_SCHEME = re.compile(r"(?:Basic|Bearer|Digest|Negotiate|NTLM|OAuth|Token|ApiKey|AWS4-HMAC-SHA256)\s", re.I)
_ADDRESS = re.compile(r"(?<!\w)\w+://\S+", re.ASCII)
_ROW = re.compile(r'^(SECRET_\w+|NO_SECRET)\((?:"([^"\n]*)", )?R"~\((.*)\)~"\)$', re.M)
_ARGUMENTS = re.compile(r'^SECRET_ARGUMENT\("([^"]*)", "([^"]*)", "(apart|attached|either)"\)$', re.M)
_BEFORE_WORD, _BEHIND_WORD = "[({\"'`$", "\"',;)]}`"
_ENDS_OF_COMMANDS = ("|", "||", "&", "&&", ";")


def _read(name):
    with open(os.path.join(_HERE, name), encoding="utf-8") as f:
        return f.read()


def _listed(kind):
    return "|".join(re.findall(r'^%s\("(\w+)"\)$' % kind, _read("secret_names.inc"), re.M))


_SECRET = re.compile(r"(?:%s)(?:_|$)|(?:^|_)(?:%s)$" % (_listed("SECRET_WORD"), _listed("SECRET_LAST_WORD")))
_PLACE = re.compile(r"_(?:%s)$" % _listed("SECRET_PLACE"))


@functools.lru_cache(maxsize=None)
def _compiled(pattern, flags=0):
    for ours, python in (("[:space:]", r"\s"), ("[:alnum:]", "A-Za-z0-9"), ("[:eol:]", r"\r\n")):
        pattern = pattern.replace(ours, python)
    return re.compile(pattern, re.ASCII | flags)


_ROWS = _ROW.findall(_read("secret_forms.inc"))
_FORMS = [(clue, kind == "SECRET_PHRASE", pattern) for kind, clue, pattern in _ROWS if kind != "NO_SECRET"]
_EXCEPTIONS = [pattern for kind, _, pattern in _ROWS if kind == "NO_SECRET"]
# program -> (the word that must follow, or None; flags; place)
_PROGRAMS = {
    program: (
        next((word for word in flags.split() if word[0] not in "-/"), None),
        [word for word in flags.split() if word[0] in "-/"],
        place,
    )
    for programs, flags, place in _ARGUMENTS.findall(_read("secret_forms.inc"))
    for program in programs.split()
}
_PROGRAM = re.compile(r"\b(?:%s)\b" % "|".join(map(re.escape, _PROGRAMS)))


def _said(name):
    return name.upper().replace("-", "_").replace(".", "_")


def is_secret_name(name):
    said = _said(name)
    return name != "PWD" and _SECRET.search(said) is not None and not _PLACE.search(said)  # PWD is the folder of a shell


def is_secret_field(name):
    """Whether an object's entry of this name is secret: not if the name is an ordinary word, as "key" is."""
    return is_secret_name(name) and _said(name) not in _ORDINARY


@functools.lru_cache(maxsize=1 << 12)
def clean_text(text):
    """A text without what it has of secrets."""
    return _without_addresses(_without_values(_without_forms(_without_arguments(text))))


def clean_words(words):
    """The words of a command, each without what it has of secrets; the value of a flag may be the next word."""
    cleaned = [_clean_word(before, word) for before, word in zip(["", *words], words)]
    for i, at in _values_of_flags(words):
        cleaned[i] = words[i][:at] + HIDDEN
    return cleaned


def _clean_word(before, word):
    if before.startswith("-") and not word.startswith("-") and is_secret_name(before.lstrip("-")):
        return HIDDEN
    name, equals, value = word.partition("=")
    return name + equals + HIDDEN if value and is_secret_name(name.lstrip("-")) else clean_text(word)


def clean_address(word):
    """One word: of an address all between its colon and its last @ goes, and all of its query, because what a person typed
    wrongly is not where a parser expects it."""
    colon, at = word.find(":"), word.rfind("@")
    end = re.search(r"[?#]|$" if colon >= 0 else r"[?]|$", word).start()
    shown = word[:end]
    if 0 <= colon < at:
        start = colon + (3 if word.startswith("//", colon + 1) else 1)
        shown = word[:start] + HIDDEN + word[at:end]
    tail = word[max(end + 1, len(word.rstrip(":,;.)"))) :]  # the sentence's, not the address's
    return shown + (word[end] + HIDDEN + tail if word[end + 1 :] != tail else word[end:])


def _without_forms(text):
    small = text.lower()
    for clue, phrase, pattern in _FORMS:
        if clue in (small if phrase else text):
            text = _compiled(pattern, re.I if phrase else 0).sub(_hidden, text)
    return text


def _hidden(match):
    found = match.group()
    if any(_compiled(exception).search(found) for exception in _EXCEPTIONS):
        return found
    return match.group(1) + HIDDEN + match.group(match.re.groups)


def _without_values(text):
    kept, end = [], 0
    for named in _NAMED.finditer(text):
        value = _value(named) if named.start() >= end else None
        if value:
            kept += [text[end : value.start()], HIDDEN]
            end = value.end()
    return "".join(kept) + text[end:]


def _value(named):
    """The part that a name declares a secret; None: there is none."""
    name, between, text = named["name"], named["between"].strip(), named.string
    if not is_secret_name(name):
        return None
    if between not in ("", "=") and _said(name) in _ORDINARY or not between and not named["dashes"]:
        return None
    header = _said(name).endswith(("COOKIE", "AUTHORIZATION"))
    whole = header and (between == ":" or _SCHEME.match(text, named.end()))
    return (_REST if whole else _VALUE).match(text, named.end())


def _without_addresses(text):
    return _ADDRESS.sub(lambda match: clean_address(match.group()), text) if "://" in text else text


def _without_arguments(text):
    if not _PROGRAM.search(text):
        return text
    return "".join(_line_without_arguments(line) for line in text.splitlines(keepends=True))


def _line_without_arguments(line):
    found = [match for match in re.finditer(r"\S+", line)] if _PROGRAM.search(line) else []
    stripped = [match.group().lstrip(_BEFORE_WORD) for match in found]
    kept, end = [], 0
    for i, at in _values_of_flags([word.rstrip(_BEHIND_WORD) or word for word in stripped]):
        start = found[i].start() + (at and at + len(found[i].group()) - len(stripped[i]))
        value = _VALUE.match(line, start) if start >= end else None
        if value:
            kept += [line[end : value.start()], HIDDEN]
            end = value.end()
    return "".join(kept) + line[end:]


def _values_of_flags(words):
    """The places of secrets that programs take by a flag: number of the word, and where in the word the secret begins."""
    following, flags, place, expected = None, (), "", False
    for i, word in enumerate(words):
        program = re.split("[/=]", word)[-1]
        if expected:
            yield i, 0
            expected = False
        elif program in _PROGRAMS:
            following, flags, place = _PROGRAMS[program]
            flags = flags if following is None or words[i + 1 : i + 2] == [following] else ()
        elif word in _ENDS_OF_COMMANDS:
            flags = ()
        else:
            at = max((_place_in(word, flag, place) for flag in flags), default=-1)
            expected = at == len(word)
            if 0 <= at < len(word):
                yield i, at


def _place_in(word, flag, place):
    """The place in a word at which the value of a flag begins; the word's length: it is the next word; -1: this is another word."""
    if word == flag:
        return len(word) if place != "attached" else -1
    if word.startswith(flag):
        if flag.startswith("--"):
            return len(flag) + 1 if word[len(flag)] == "=" else -1
        return len(flag) if place != "apart" else -1
    several = len(flag) == 2 and re.fullmatch(r"-[A-Za-z]{2,5}", word)  # curl -sSu me:abc
    return len(word) if several and word[-1] == flag[1] and place != "attached" else -1
