"""An interpreter of the part of BeanShell that exported expressions use, and VASSAL's rules for it.

Written from the facts of the engine and without the exporter's own code, so that
what a player would read can be compared with the table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

TOKEN = re.compile(
    r'\s*(?:(?P<text>"(?:[^"\\]|\\.)*")|(?P<number>\d+)|(?P<name>[A-Za-z_$][\w$]*)'
    r"|(?P<sign>==|!=|>=|<=|&&|\|\||[-+?:().,<>!]))"
)
Env = dict[str, Any]
Node = Callable[[Env], Any]


class BeanShellError(Exception):
    """What BeanShell would refuse or throw at."""


def tokens(source: str) -> list[tuple[str, str]]:
    """Tokens as (kind, text)."""
    out, at = [], 0
    source = source.rstrip()
    while at < len(source):
        match = TOKEN.match(source, at)
        if match is None:
            raise BeanShellError(f"no token at {source[at : at + 20]!r}")
        kind = match.lastgroup or ""
        out.append((kind, match.group(kind)))
        at = match.end()
    return [*out, ("end", "")]


def java_string(literal: str) -> str:
    """A string literal without its quotes."""
    simple = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "'": "'"}

    def undo(match: re.Match[str]) -> str:
        said = match.group(1)
        return chr(int(said[1:], 16)) if said[0] == "u" else simple[said]

    text = re.sub(r"\\(u[0-9a-fA-F]{4}|.)", undo, literal[1:-1])
    return text.encode("utf-16", "surrogatepass").decode("utf-16")


class Parser:
    """Recursive descent; `depth` is how deep calls stand inside calls at most."""

    def __init__(self, source: str) -> None:
        self.tokens = tokens(source)
        self.at = 0
        self.depth = self.deepest = 0
        self.variables: set[str] = set()

    def take(self, text: str) -> bool:
        if self.tokens[self.at][1] == text and self.tokens[self.at][0] == "sign":
            self.at += 1
            return True
        return False

    def need(self, text: str) -> None:
        if not self.take(text):
            raise BeanShellError(f"{text!r} expected, {self.tokens[self.at][1]!r} found")

    def whole(self) -> Node:
        node = self.ternary()
        if self.tokens[self.at][0] != "end":
            raise BeanShellError(f"{self.tokens[self.at][1]!r} is left over")
        return node

    def ternary(self) -> Node:
        test = self.either()
        if not self.take("?"):
            return test
        yes = self.ternary()
        self.need(":")
        no = self.ternary()
        return lambda env: yes(env) if boolean(test(env)) else no(env)

    def either(self) -> Node:
        left = self.both()
        while self.take("||"):
            left = self._lazy(left, self.both(), True)
        return left

    def both(self) -> Node:
        left = self.compared()
        while self.take("&&"):
            left = self._lazy(left, self.compared(), False)
        return left

    @staticmethod
    def _lazy(a: Node, b: Node, stop: bool) -> Node:
        return lambda env: stop if boolean(a(env)) is stop else boolean(b(env))

    def compared(self) -> Node:
        left = self.sum()
        for sign, test in COMPARE.items():
            if self.take(sign):
                right = self.sum()
                return lambda env: test(left(env), right(env))
        return left

    def sum(self) -> Node:
        left = self.unary()
        while True:
            if self.take("+"):
                left = self._plus(left, self.unary())
            elif self.take("-"):
                left = self._minus(left, self.unary())
            else:
                return left

    @staticmethod
    def _plus(a: Node, b: Node) -> Node:
        def add(env: Env) -> Any:
            x, y = a(env), b(env)
            if isinstance(x, str) or isinstance(y, str):
                return shown(x) + shown(y)
            return x + y

        return add

    @staticmethod
    def _minus(a: Node, b: Node) -> Node:
        return lambda env: a(env) - b(env)

    def unary(self) -> Node:
        if self.take("-"):
            inner = self.unary()
            return lambda env: -inner(env)
        if self.take("!"):
            inner = self.unary()
            return lambda env: not boolean(inner(env))
        return self.suffixed()

    def suffixed(self) -> Node:
        node = self.primary()
        while self.take("."):
            name = self.name()
            node = self._method(node, name, self.arguments())
        return node

    @staticmethod
    def _method(target: Node, name: str, arguments: list[Node]) -> Node:
        def call(env: Env) -> Any:
            text = target(env)
            if not isinstance(text, str):
                raise BeanShellError(f".{name} on {text!r}, which is no String")
            return METHODS[name](text, *(a(env) for a in arguments))

        return call

    def name(self) -> str:
        kind, text = self.tokens[self.at]
        if kind != "name":
            raise BeanShellError(f"a name expected, {text!r} found")
        self.at += 1
        return text

    def arguments(self) -> list[Node]:
        self.need("(")
        self.depth += 1
        self.deepest = max(self.deepest, self.depth)
        out = []
        if not self.take(")"):
            out.append(self.ternary())
            while self.take(","):
                out.append(self.ternary())
            self.need(")")
        self.depth -= 1
        return out

    def primary(self) -> Node:
        kind, text = self.tokens[self.at]
        if self.take("("):
            inner = self.ternary()
            self.need(")")
            return inner
        self.at += 1
        if kind == "text":
            value = java_string(text)
            return lambda env: value
        if kind == "number":
            return lambda env: int(text)
        if kind != "name":
            raise BeanShellError(f"{text!r} begins no expression")
        if text == "Integer":
            self.need(".")
            if self.name() != "parseInt":
                raise BeanShellError("only parseInt is known")
            (inner,) = self.arguments()
            return lambda env: parse_int(inner(env))
        if self.tokens[self.at] == ("sign", "("):
            (inner,) = self.arguments()
            return lambda env: env[text](inner(env))
        if self.tokens[self.at] == ("sign", "."):
            raise BeanShellError(f"{text}.… : VASSAL looks for such a variable elsewhere")
        self.variables.add(text)
        return lambda env: env["variables"](text)


def boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise BeanShellError(f"{value!r} is no boolean")
    return value


def shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def parse_int(text: Any) -> int:
    if not isinstance(text, str) or not re.fullmatch(r"[+-]?[0-9]+", text):
        raise BeanShellError(f"NumberFormatException: {text!r}")
    return int(text)


def substring(text: str, start: int, end: int | None = None) -> str:
    end = len(text) if end is None else end
    if not 0 <= start <= end <= len(text):
        raise BeanShellError(f"StringIndexOutOfBounds: {start}, {end} of {len(text)}")
    return text[start:end]


METHODS: dict[str, Callable[..., Any]] = {
    "substring": substring,
    "indexOf": lambda text, part: text.find(part),
    "length": len,
    "equals": lambda text, other: text == other,
    "charAt": lambda text, at: substring(text, at, at + 1),
}
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    ">=": lambda a, b: a >= b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    "<": lambda a, b: a < b,
}


def bare(value: str) -> Any:
    """What VASSAL makes of the value of a bare variable."""
    if value in ("true", "false"):
        return value == "true"
    if not value or set(value) - set("+-.0123456789"):
        return value
    if re.fullmatch(r"[+-]?[0-9]+", value) and -(2**31) <= int(value) < 2**31:
        return int(value)
    try:
        return float(value)
    except ValueError:
        return value


def wrapped(value: str) -> Any:
    """What GetProperty makes of a value: 0101 is 101."""
    if value in ("true", "false"):
        return value == "true"
    return int(value) if re.fullmatch(r"[+-]?[0-9]+", value) else value


class Engine:
    """Evaluates expressions against the messages and properties of a module.

    Attributes
    ----------
    messages : dict
        Global Translatable Messages and Global Properties by name.
    """

    def __init__(self, messages: Mapping[str, str]) -> None:
        self.messages = dict(messages)
        self._parsed: dict[str, Node] = {}

    def evaluate(
        self,
        expression: str,
        given: Mapping[str, str] | None = None,
        piece: Mapping[str, str] | None = None,
    ) -> str:
        """Text of an expression in braces.

        `given` are the values that VASSAL hands to a format: they are seen as
        bare variables only.  `piece` are properties of a piece.
        """
        if not (expression.startswith("{") and expression.endswith("}")):
            raise BeanShellError("no expression in braces")
        if expression not in self._parsed:
            self._parsed[expression] = Parser(expression[1:-1]).whole()
        own = {**self.messages, **(piece or {})}

        def variable(name: str) -> Any:
            return bare((given or {}).get(name, own.get(name, "")))

        env: Env = {
            "GetString": lambda name: own.get(name, ""),
            "GetProperty": lambda name: wrapped(own.get(name, "")),
            "variables": variable,
        }
        return shown(self._parsed[expression](env))
