"""When two expressions are the same whatever the position: what they say, without where."""

from __future__ import annotations

from kbrules.lang import core, tree

__all__ = ["Key", "key", "tree_key"]

Key = tuple[object, ...]


def key(expr: core.Expr | None) -> Key:
    """What a typed expression says; equal keys have equal values wherever they are asked."""
    match expr:
        case None:
            return ()
        case core.Lit(sort=sort, value=value):
            return "lit", sort, value
        case core.Var(name=name):
            return "var", name
        case core.Call(word=word, arguments=arguments):
            return _call(word, tuple(map(key, arguments)))
        case core.Conditional(condition=condition, value=value, other=other):
            return "choice", key(condition), key(value), key(other)
        case core.Fold(word=word, variable=variable, domain=domain, condition=tested, body=body):
            return "fold", word, variable, key(domain), key(tested), key(body)


_EITHER_WAY = {"&(hexes,hexes)", "|(hexes,hexes)", "+(number,number)", "*(number,number)"}
_EITHER_WAY |= {"and(truth,truth)", "or(truth,truth)", "=(number,number)", "!=(number,number)"}


def _call(word: str, arguments: tuple[Key, ...]) -> Key:
    if word in _EITHER_WAY:
        arguments = tuple(sorted(arguments, key=repr))
    return word, *arguments


_COMMUTATIVE = {"&", "|", "+", "*", "=", "!=", "and", "or"}


def tree_key(part: object) -> Key:
    """What a part of a tree says: equal keys were written alike, but for blanks and brackets."""
    match part:
        case tree.Operator(symbol=symbol, operands=operands):
            keys = tuple(map(tree_key, operands))
            return symbol, *(sorted(keys, key=repr) if symbol in _COMMUTATIVE else keys)
        case tree.Word(text=text) | tree.Name(text=text):
            return "name", text
        case tree.Number(value=value) | tree.Truth(value=value):
            return "value", value
        case tuple():
            return tuple(map(tree_key, part))
        case str() | int() | None:
            return (part,)
        case _:
            fields = part.__dataclass_fields__  # type: ignore[attr-defined]
            skipped = ("span", "head")
            values = (getattr(part, name) for name in fields if name not in skipped)
            return type(part).__name__, *map(tree_key, values)
