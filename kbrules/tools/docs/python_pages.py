"""The pages of the public Python names, read from the source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from kbrules.tools.docs.content import USE, Page

# The public Python names, read from the source: signatures, docstrings, members.
#
# Nothing is imported: what `kbrules` offers stands in its imports, and what a class or a function
# is stands in the file that defines it.


_PACKAGE = "kbrules"
_MAX_LINE = 88
_VALUES = {"property", "cached_property"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Member(NamedTuple):
    """A public member of a class: the signature of a method or the type of an attribute."""

    name: str
    written: str
    doc: str
    is_method: bool = False


@dataclass(frozen=True, slots=True)
class PythonDefinition:
    """A class or a function in a module."""

    module: str
    node: ast.ClassDef | Function

    @property
    def name(self) -> str:
        """The name that it is defined by."""
        return self.node.name

    @property
    def is_class(self) -> bool:
        """Whether it is a class."""
        return isinstance(self.node, ast.ClassDef)

    @property
    def bases(self) -> list[str]:
        """The bases of a class as they are written."""
        return [ast.unparse(base) for base in getattr(self.node, "bases", ())]

    @property
    def doc(self) -> str:
        """Its docstring."""
        return ast.get_docstring(self.node) or ""


def public_names() -> tuple[list[PythonDefinition], list[PythonDefinition]]:
    """What is imported from `kbrules` by name, and the classes that its members speak of."""
    names = sorted(_imports(_PACKAGE))
    exported = [each for name in names if (each := _resolved(_PACKAGE, name))]
    known = {each.name: each for each in exported}
    for definition in exported:
        texts = [*definition.bases, signature(definition)]
        texts += [each.written for each in members(definition)]
        for name in sorted({word for text in texts for word in re.findall(r"\w+", text)}):
            other = _resolved(definition.module, name)
            if other is not None and other.is_class and not name.startswith("_"):
                known.setdefault(other.name, other)
    return exported, sorted(list(known.values())[len(exported) :], key=lambda each: each.name)


@cache
def _tree(module: str) -> ast.Module:
    _, *parts = module.split(".")
    path = files(_PACKAGE).joinpath(*parts, "__init__.py")
    if not path.is_file():
        path = files(_PACKAGE).joinpath(*parts[:-1], f"{parts[-1]}.py")
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def _imports(module: str) -> Mapping[str, str]:
    """The modules of the package that names are imported from, for type checkers as well."""
    return {
        alias.asname or alias.name: node.module
        for node in ast.walk(_tree(module))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{_PACKAGE}.")
        for alias in node.names
        if node.module
    }


@cache
def _resolved(module: str, name: str) -> PythonDefinition | None:
    """The class or function that a name in a module means, if it is one of ours."""
    for node in reversed(_tree(module).body):
        if isinstance(node, ast.ClassDef | Function) and node.name == name:
            return PythonDefinition(module, node)
    home = _imports(module).get(name)
    return _resolved(home, name) if home is not None else None


@cache
def _constant(module: str, name: str) -> str:
    """What a name in a module is set to, as it is written; the name itself if that is unknown."""
    for node in _tree(module).body:
        values = dict(_pairs(node)) if isinstance(node, ast.Assign) else {}
        if name in values:
            return values[name]
    home = _imports(module).get(name)
    return _constant(home, name) if home is not None else name


def signature(definition: PythonDefinition) -> str:
    """A name with its parameters as they are written; a line for each if they are long."""
    node = definition.node
    if isinstance(node, Function):
        returned = ast.unparse(node.returns) if node.returns is not None else "None"
        end = "" if returned == "None" else f" -> {returned}"
        return _wrapped(node.name, _parameters(definition.module, node), end)
    owners = _own_classes(definition)
    for owner in owners:
        for each in owner.node.body:
            if isinstance(each, ast.FunctionDef) and each.name == "__init__":
                return _wrapped(node.name, _parameters(owner.module, each), "")
    fields = [each for owner in reversed(owners) for each in _fields(owner.node)]
    return _wrapped(node.name, fields, "") if fields else node.name


def _parameters(module: str, node: Function) -> list[str]:
    """The parameters of a function without that for its owner."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    values = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    parameters = [_parameter(module, *each) for each in zip(positional, values, strict=True)]
    if arguments.vararg is not None or arguments.kwonlyargs:
        vararg = arguments.vararg
        parameters.append(f"*{ast.unparse(vararg) if vararg is not None else ''}")
    keywords = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    parameters += [_parameter(module, *each) for each in keywords]
    parameters += [f"**{ast.unparse(arguments.kwarg)}"] if arguments.kwarg is not None else []
    return [each for each in parameters if each not in ("self", "cls")]


def _parameter(module: str, node: ast.arg, value: ast.expr | None) -> str:
    """A parameter; a default that is a named value is written out."""
    if value is None:
        return ast.unparse(node)
    text = ast.unparse(value)
    return f"{ast.unparse(node)} = {_constant(module, text) if text.isupper() else text}"


def _fields(owner: ast.ClassDef | Function) -> Iterator[str]:
    """The parameters of a class that is made of its fields."""
    head = [*owner.decorator_list, *getattr(owner, "bases", ())]
    if not any(re.match("dataclass|NamedTuple", ast.unparse(each)) for each in head):
        return
    for node in owner.body:
        if isinstance(node, ast.AnnAssign) and "init=False" not in ast.unparse(node):
            is_made = isinstance(node.value, ast.Call)
            value = "..." if is_made else ast.unparse(node.value) if node.value else ""
            written = f"{ast.unparse(node.target)}: {ast.unparse(node.annotation)}"
            yield f"{written} = {value}" if value else written


def _wrapped(name: str, parameters: list[str], end: str) -> str:
    whole = f"{name}({', '.join(parameters)}){end}"
    if len(whole) <= _MAX_LINE:
        return whole
    lines = "".join(f"    {each},\n" for each in parameters)
    return f"{name}(\n{lines}){end}"


def _own_classes(definition: PythonDefinition) -> list[PythonDefinition]:
    """A class and those of its bases that are ours, the nearest first."""
    found = [definition]
    for base in definition.bases:
        other = _resolved(definition.module, base.partition("[")[0])
        found += _own_classes(other) if other is not None else []
    return found


def members(definition: PythonDefinition) -> list[Member]:
    """The public members of a class and of its bases in kbrules, attributes first."""
    if not definition.is_class:
        return []
    found: dict[str, Member] = {}
    for read in (_attributes, _methods):
        for member in (each for owner in _own_classes(definition) for each in read(owner)):
            if not member.name.startswith("_"):
                found.setdefault(member.name, member)
    return list(found.values())


def _attributes(owner: PythonDefinition) -> Iterator[Member]:
    """What a class declares, its properties, and what `__init__` sets."""
    body = owner.node.body
    for node, below in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign):
            yield _attribute(ast.unparse(node.target), node.annotation, _text(below))
        elif isinstance(node, ast.FunctionDef) and node.name == "__init__":
            yield from _assigned_in(node)
        elif isinstance(node, ast.FunctionDef) and _VALUES & _decorators(node):
            yield _attribute(node.name, node.returns, ast.get_docstring(node) or "")


def _attribute(name: str, sort: ast.expr | None, doc: str) -> Member:
    return Member(name, ast.unparse(sort) if sort is not None else "", doc)


def _text(node: ast.stmt | None) -> str:
    """The text that stands below an attribute."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return " ".join(str(node.value.value).split())
    return ""


def _assigned_in(method: ast.FunctionDef) -> Iterator[Member]:
    """The attributes that a method sets, with the type of the parameter that they are set to."""
    types = {each.arg: each.annotation for each in (*method.args.args, *method.args.kwonlyargs)}
    for node in ast.walk(method):
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target).startswith("self."):
            yield _attribute(ast.unparse(node.target)[5:], node.annotation, "")
        elif isinstance(node, ast.Assign):
            for name, value in _pairs(node):
                if name.startswith("self.") and name[5:].isidentifier():
                    yield _attribute(name[5:], types.get(value), "")


def _pairs(node: ast.Assign) -> Iterator[tuple[str, str]]:
    """The targets of an assignment, each with its value."""
    for target in node.targets:
        targets = target.elts if isinstance(target, ast.Tuple) else [target]
        is_many = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
        values = node.value.elts if is_many and isinstance(node.value, ast.Tuple) else [node.value]
        for each, value in zip(targets, values, strict=False):
            yield ast.unparse(each), ast.unparse(value)


def _methods(owner: PythonDefinition) -> Iterator[Member]:
    for node in owner.node.body:
        if isinstance(node, ast.FunctionDef) and not {*_VALUES, "overload"} & _decorators(node):
            written = signature(PythonDefinition(owner.module, node))
            yield Member(node.name, written, ast.get_docstring(node) or "", is_method=True)


def _decorators(node: Function) -> set[str]:
    return {ast.unparse(each) for each in node.decorator_list}


# The pages of the public Python names: a list, and a page for each.


PYTHON = "python/index.html"

LinkedText = list[tuple[str, str | None]]
"""A text in pieces, each with the address that it leads to."""


def python_pages() -> Iterator[Page]:
    """The list of all names, and a page for each."""
    exported, others = public_names()
    groups = [("From kbrules", exported), ("What these lead to", others)]
    rows = [(title, [(d.name, _path(d), _summary(d.doc)) for d in of]) for title, of in groups]
    yield Page(PYTHON, "Python names", "reference", "python", {"groups": rows}, group=USE)
    paths = {each.name: _path(each) for each in (*exported, *others)}
    for each in (*exported, *others):
        values, above = _values(each, paths), (("Python names", PYTHON),)
        about = _summary(each.doc)
        yield Page(_path(each), each.name, "python", "python_name", values, about, above)


def _path(definition: PythonDefinition) -> str:
    """The address of a page; a class and a function may differ by a capital alone."""
    kind = "class" if definition.is_class else "function"
    return f"python/{kind}-{definition.name}.html"


def _summary(doc: str) -> str:
    """The first sentence of a docstring."""
    return re.split(r"(?<=[.:])\s|\n\n", doc)[0]


def _values(definition: PythonDefinition, paths: Mapping[str, str]) -> dict[str, Any]:
    others = {name: path for name, path in paths.items() if name != definition.name}
    member_values = [
        (each.is_method, each.name, _type_links(each.written, others), _paragraphs(each.doc))
        for each in members(definition)
    ]
    return {
        "module": definition.module,
        "bases": _type_links(", ".join(definition.bases), others) if definition.bases else [],
        "signature": _type_links(signature(definition), others),
        "paragraphs": _paragraphs(definition.doc),
        "attributes": [values for is_method, *values in member_values if not is_method],
        "methods": [values for is_method, *values in member_values if is_method],
    }


def _type_links(text: str, paths: Mapping[str, str]) -> LinkedText:
    """A signature or a type in which the names of classes lead to their pages."""
    classes = {name: path for name, path in paths.items() if name[0].isupper()}
    return [(word, classes.get(word)) for word in re.split(r"(\w+)", text)]


def _paragraphs(doc: str) -> list[tuple[str, bool]]:
    """The paragraphs of a docstring, and whether each is indented and stays as it is written."""
    parts = filter(None, doc.split("\n\n"))
    return [(part, all(line.startswith("    ") for line in part.split("\n"))) for part in parts]
