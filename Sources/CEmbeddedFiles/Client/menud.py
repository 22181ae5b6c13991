"""A client of menud for Python 3.11 and newer, in one file without dependencies.

    client = Client("http://localhost:8080")
    session = client.session("demo")
    mirror = session.follow(document=True, menu=True)
    session.perform("applyFiveStarRating:")

`AsyncClient` has the same methods for asyncio, as coroutines. Each is written once: a coroutine that awaits nothing but
a platform. That of `Client` blocks the thread, so that the coroutine never suspends.

In reading order: JSON to the byte, the changes of a mirror, errors, types, platforms, HTTP, requests, mirrors,
deliveries, sessions, clients, keys and menus.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import functools
import inspect
import itertools
import json
import math
import random
import re
import secrets
import socket
import ssl
import threading
import time
import unicodedata
import weakref
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import (
    Any, Concatenate, Generic, NotRequired, ParamSpec, Self, TypedDict, TypeGuard, TypeVar, Unpack, cast, overload)
from urllib.parse import quote, urlsplit

__all__ = [
    "Answer", "AsyncClient", "AsyncDeliveries", "AsyncMirror", "AsyncPool", "AsyncSession", "Cancelled", "Changed",
    "Client", "Contents", "Deliveries", "Delivery", "Event", "HistoryEntry", "HistoryPage", "Item", "Key", "Menu",
    "Mirror", "Performed", "Pool", "Problem", "Reply", "SearchPage", "Session", "SessionKey", "Unreached", "Work",
    "apply", "edit", "items_in", "merge", "path", "strokes", "write"]

P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S", bound="_Session[Any, Any]")
M = TypeVar("M", bound="_Mirror")
D = TypeVar("D", bound="_Pool")
Object = dict[str, Any]

# MARK: JSON to the byte

# Python writes these otherwise: \b and \f in strings, and numbers from 2^53 to 10^16.
_OTHERWISE = re.compile(r"\\[bf]|\d{16}\.0")
_STRING_OR_NUMBER = re.compile(r'"(?:[^"\\]|\\.)*"|\d{16}\.0')
_ESCAPES = {r"\b": r"\u0008", r"\f": r"\u000c"}


def write(value: Any) -> str:
    """Returns JSON as menud writes it: what `json.loads` has read is the same again, to the byte."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _STRING_OR_NUMBER.sub(_written, text) if _OTHERWISE.search(text) else text


def _written(part: re.Match[str]) -> str:
    text = part[0]
    if text.startswith('"'):
        return re.sub(r"\\.", lambda escape: _ESCAPES.get(escape[0], escape[0]), text)
    return re.sub(r"(\d)(\d+?)0*\.0", r"\1.\2e+15", text) if float(text) > 2**53 else text


def _is_object(value: Any) -> TypeGuard[Object]:
    return isinstance(value, dict)


def _is_list(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, (list, tuple))


# MARK: The changes of a mirror
#
# Values are never modified, so that a reader in another thread sees one revision: what contains a change is copied,
# and the rest is shared.


def _steps(pointer: str) -> list[str]:
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")]


def _copied(value: Any, steps: Sequence[str]) -> Any:
    """Returns a part of a value, to be changed: the part and those around it become copies."""
    for step in steps:
        index: Any = int(step) if _is_list(value) else step
        value[index] = copy.copy(value[index])
        value = value[index]
    return value


def _place(root: Object, pointer: str) -> tuple[Any, Any]:
    """Returns the place of a pointer, to be changed: a list and an index, or an object and a name."""
    *around, name = _steps(pointer)
    holder = _copied(root, around)
    return holder, name if not _is_list(holder) else len(holder) if name == "-" else int(name)


def _insert(root: Object, pointer: str, value: Any, position: int | None = None) -> None:
    holder, index = _place(root, pointer)
    if _is_list(holder):
        holder.insert(index, value)
    elif position is None:
        holder[index] = value
    else:
        _insert_member(holder, index, value, position)


def _insert_member(members: Object, name: str, value: Any, position: int) -> None:
    others = [member for member in members.items() if member[0] != name]
    members.clear()
    members.update([*others[:position], (name, value), *others[position:]])


def edit(value: Any, operation: Object) -> Any:
    """Returns a value after an operation of a JSON Patch (RFC 6902). A member is added at `position`, if it has one.

    Raises an error if there is no such place.
    """
    # The pointer to the whole is "", so that this has a place as its parts do.
    root: Object = {"": value}
    match operation["op"]:
        case "add":
            _insert(root, operation["path"], operation["value"], operation.get("position"))
        case "replace":
            holder, index = _place(root, operation["path"])
            holder[index] = operation["value"]
        case "remove":
            holder, index = _place(root, operation["path"])
            del holder[index]
        case "copy" | "move" as name:
            holder, index = _place(root, operation["from"])
            part = holder.pop(index) if name == "move" else holder[index]
            _insert(root, operation["path"], part)
        case _:
            pass
    return root.get("")


def merge(target: Any, patch: Any) -> Any:
    """Returns a value after a JSON Merge Patch (RFC 7396)."""
    if not _is_object(patch):
        return patch
    merged = dict(target) if _is_object(target) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = merge(merged.get(name), value)
    return merged


def apply(document: Object, change: Object) -> Object:
    """Returns a session's document after a change from an answer or an event."""
    changed = document.copy()
    host, selector, value = change.get("responder", ""), change.get("selector", ""), cast(Any, change.get("value"))
    deliveries: list[Object] = document.get("deliveries", [])

    def at(*place: str) -> Any:
        return _copied(changed, place)

    match change["change"]:
        case "state":
            changed["state"] = edit(document["state"], change)
        case "mergedState":
            changed["state"] = merge(document["state"], change["patch"])
        case "firstResponder":
            changed["firstResponder"] = host
        case "keyWindow" | "mainWindow" | "modalWindow" as role:
            changed[role] = change["window"]
        case "responder":
            at("responders")[host] = value
        case "responderRemoved":
            at("responders").pop(host, None)
        case "properties":
            responder = at("responders", host)
            responder["properties"] = merge(responder["properties"], change["patch"])
        case "handler":
            responder = at("responders", host)
            responder["handlers"] = dict(sorted({**responder["handlers"], selector: value}.items()))
        case "handlerRemoved":
            at("responders", host, "handlers").pop(selector, None)
        case "keyCommands":
            responder = at("responders", host)
            responder.pop("keyCommands", None)
            if value:
                _insert_member(responder, "keyCommands", value, [*responder].index("handlers") + 1)
        case "registration":
            handlers, tokens = at("responders", host, "coordinator", "handlers"), at("registrations", host)
            _insert_member(handlers, selector, value, len(handlers))
            _insert_member(tokens, selector, change["token"], len(tokens))
        case "registrationRemoved":
            # The selector may have another token by now.
            if document["registrations"].get(host, {}).get(selector) == change["token"]:
                del at("responders", host, "coordinator", "handlers")[selector]
                del at("registrations", host)[selector]
        case "messageQueue":
            changed["messages"] = document.get("messages", [])[change.get("removed", 0):] + change.get("added", [])
        case "delivery":
            changed["deliveries"] = [*deliveries, value]
        case "deliveryState":
            changed["deliveries"] = [one | value if one["id"] == change["delivery"] else one for one in deliveries]
        case "deliveryForgotten":
            changed["deliveries"] = [one for one in deliveries if one["id"] != change["delivery"]]
        case _:
            # An operation on the document, with any change; the other changes only explain it.
            return cast(Object, edit(document, change)) if "op" in change else document
    return changed


def _name_of(item: Mapping[str, Any]) -> tuple[Any, Any]:
    """The name of an item among its menu's: its command, and its key if it is from data."""
    return item.get("command"), item.get("itemKey")


def _rearranged(children: list[Object], change: Object) -> list[Object]:
    """Takes items from data out of a menu's children, and puts those that moved or came at their places."""
    moved, inserted = change.get("moved", []), change.get("inserted", [])
    taken = {_name_of(place) for place in [*change.get("removed", []), *moved]}
    items = {_name_of(child): child for child in children if _name_of(child) in taken}
    placed = {place["at"]: items[_name_of(place)] for place in moved} | {
        place["at"]: place["item"] for place in inserted}
    rest = [child for child in children if _name_of(child) not in taken]
    others = iter(rest)
    return [placed[index] if index in placed else next(others) for index in range(len(rest) + len(placed))]


def _edited(menu: Object, change: Object) -> Object:
    """A menu after an edit of it, or of a menu below it; the same object if the edit is of another one."""
    if menu["identifier"] != change["menu"]:
        children = [child if "command" in child else _edited(child, change) for child in menu["children"]]
        is_same = all(one is other for one, other in zip(children, menu["children"]))
        return menu if is_same else menu | {"children": children}
    if "value" in change:
        return cast(Object, change["value"])
    items = {_name_of(item): item for item in change.get("items", [])}
    return menu | {"children": [items.get(_name_of(child), child) for child in _rearranged(menu["children"], change)]}


def _listed(told: Object, name: str, former: Sequence[Any] = ()) -> Sequence[Any]:
    """The list that an event tells: the former one if it tells none, an empty one if it is null."""
    return told.get(name, former) or []


@dataclass(frozen=True)
class Contents:
    """The contents of a mirror at one revision: the answers of GET. They must not be modified."""

    revision: int
    catalog_revision: int
    document: Object | None = None
    menu: Menu | None = None
    items: Mapping[str, Item] = field(default_factory=dict[str, "Item"])
    keys: Sequence[SessionKey] = ()
    tools: Sequence[Object] = ()
    deliveries: Sequence[Delivery] = ()

    @staticmethod
    def reset(told: Object) -> Contents:
        """Returns the contents that the data of a `reset` tells."""
        return Contents(
            told["revision"], told["catalogRevision"], told.get("document"), told.get("menu"),
            {item["command"]: item for item in _listed(told, "items")}, _listed(told, "keys"), _listed(told, "tools"),
            _listed(told, "deliveries"))

    def changed(self, told: Object) -> Contents:
        """Returns the contents after the data of a `change`."""
        # A revision in which nothing of the parts differs has no event (E4); the document always differs.
        if told["from"] < self.revision or (self.document is not None and told["from"] > self.revision):
            raise ValueError(f"The change is of revision {told['from']}, and not of {self.revision}.")
        document = self.document
        if document is not None:
            document = functools.reduce(apply, told.get("changes", []), document) | {"revision": told["revision"]}
        menu: Any = told.get("menu", self.menu)
        for change in cast(list[Object], told.get("menuEdits", [])):
            menu = _edited(menu, change)
        deliveries = {one["id"]: one for one in [*self.deliveries, *told.get("deliveries", [])]}
        for id in told.get("deliveriesGone", []):
            deliveries.pop(id, None)
        items: dict[str, Item] = {} if told.get("items", ()) is None else {**self.items}
        items |= {item["command"]: item for item in _listed(told, "items")}
        return Contents(
            told["revision"], told["catalogRevision"], document, menu, items, _listed(told, "keys", self.keys),
            _listed(told, "tools", self.tools), [deliveries[id] for id in sorted(deliveries)])


# MARK: Errors


class Problem(Exception):
    """A request that was refused (RFC 9457). `document` has all that the answer tells."""

    def __init__(self, status: int, document: Object, retry_after: float = 0) -> None:
        self.detail: str = document.get("detail") or document.get("title") or f"The answer was {status}."
        super().__init__(self.detail)
        self.status = status
        self.document = document
        #: The seconds after which a retry makes sense; 0 if the answer does not say.
        self.retry_after = retry_after
        self.type: str | None = document.get("type")
        self.title: str | None = document.get("title")
        #: A JSON Pointer to the part of the request to blame.
        self.pointer: str | None = document.get("pointer")
        #: The reason for which an item is disabled, and the same in words for people.
        self.reason: str | None = document.get("reason")
        self.explanation: str | None = document.get("explanation")
        #: The question to ask a person before the command is performed with `confirmed`.
        self.confirmation: Object | None = document.get("confirmation")
        self.errors: list[Object] = document.get("errors", [])

    @property
    def is_final(self) -> bool:
        """True if a retry would have the same result."""
        return self.status not in (429, 502, 503, 504)

    @property
    def fields(self) -> dict[str, list[str]]:
        """The mistakes of a command's parameters by their names; those about no single one have the name ''."""
        fields: dict[str, list[str]] = {}
        for fault in self.errors or [{"pointer": self.pointer or "", "detail": self.detail}]:
            steps, detail = _steps(fault.get("pointer", "")), fault["detail"]
            name = ""
            if "parameters" in steps:
                missing = re.search(r"The member '(.*)' is missing\b", detail)
                rest = steps[steps.index("parameters") + 1:]
                name = rest[0] if rest else missing[1] if missing else ""
            # A single mistake is told with the command.
            detail = re.sub(r"^The parameters of the command '[^']*' do not fit\. ", "", detail)
            fields.setdefault(name, []).append(detail)
        return fields

    @property
    def words(self) -> str:
        """The refusal in words for people: the explanation, the question to confirm, or all mistakes of the request."""
        if question := self.confirmation:
            return " ".join(question[part] for part in ("title", "message") if part in question)
        faults = [f"{name}: {detail}" if name else detail for name, all in self.fields.items() for detail in all]
        return self.explanation or " ".join(faults)


class Unreached(Exception):
    """A request without an answer: the connection failed, or the timeout passed."""

    def __init__(self, text: str, is_final: bool = False) -> None:
        super().__init__(text)
        #: True if a retry would have the same result, as when the server's certificate is not trusted.
        self.is_final = is_final
        #: The same as of a `Problem`.
        self.retry_after = 0.0


class Cancelled(Exception):
    """The delivery is to be given up: its cancellation is asked for, or its claim is lost."""


# MARK: Types
#
# The members of JSON that programs use most. There can be others.


class Key(TypedDict):
    """A stroke, as UIKit names it."""

    input: str
    modifiers: NotRequired[list[str]]


class Item(TypedDict):
    """A command as a menu shows it. Menus, searches and forms have more members."""

    command: str
    title: str
    enabled: bool
    state: str
    attributes: list[str]
    target: str | None
    reason: str
    itemKey: NotRequired[str]
    subtitle: NotRequired[str]
    image: NotRequired[str]
    checkable: NotRequired[bool]
    needsParameters: NotRequired[bool]
    explanation: NotRequired[str]
    confirmation: NotRequired[Object]
    key: NotRequired[Any]
    alternates: NotRequired[list[Item]]
    menus: NotRequired[list[str]]
    ranges: NotRequired[list[list[int]]]
    schema: NotRequired[Object]
    trace: NotRequired[list[Object]]


class Menu(TypedDict):
    """A menu, with menus and items as its children."""

    identifier: str
    title: str
    options: list[str]
    enabled: bool
    children: list[Menu | Item]
    image: NotRequired[str]


class SearchPage(TypedDict):
    """The items of a page, their number in `total`, and the offset of the next page in `next`."""

    total: int
    items: list[Item]
    next: NotRequired[int]


class SessionKey(TypedDict):
    """A key, and what it means now."""

    strokes: list[Key]
    command: NotRequired[str]
    responder: NotRequired[str]
    action: NotRequired[str]
    title: NotRequired[str]
    enabled: NotRequired[bool]
    needsParameters: NotRequired[bool]
    reason: NotRequired[str]
    explanation: NotRequired[str]


class Delivery(TypedDict):
    """Work for the application. `claim` has a `number`, the name in `by`, and its end in `until`."""

    id: int
    command: str | None
    title: str | None
    value: Any
    state: str
    claims: int
    claim: Object | None
    result: Any
    problem: Object | None
    settledBy: NotRequired[str | None]


class Changed(TypedDict):
    """The answer to a change. `kept` are the places that undoing left as they were patched meanwhile, `failed` the
    recorded messages that failed when they were to be undone."""

    session: str
    revision: int
    changes: NotRequired[list[Object]]
    outcomes: NotRequired[list[Object]]
    dryRun: NotRequired[bool]
    undone: NotRequired[bool]
    redone: NotRequired[bool]
    actionName: NotRequired[str]
    kept: NotRequired[list[str]]
    failed: NotRequired[list[Object]]


class Performed(Changed):
    """The answer to a performed command. `plan` is that of a dry run, for `perform_plan`."""

    performed: bool
    reason: str
    action: str
    target: str | None
    events: NotRequired[list[Object]]
    item: NotRequired[Object]
    result: NotRequired[Any]
    deliveries: NotRequired[list[Delivery]]
    plan: NotRequired[str]
    trace: NotRequired[list[Object]]


class HistoryEntry(TypedDict):
    """A change of a session, or a refusal, with what was asked and what came of it."""

    revision: int
    time: str
    kind: str
    actor: Object
    command: NotRequired[str]
    title: NotRequired[str]
    action: NotRequired[str]
    target: NotRequired[str]
    changes: NotRequired[list[Object]]
    operations: NotRequired[list[Object]]


class HistoryPage(TypedDict):
    """A page of a history, the latest entry first, and the address of the next page in `next`."""

    revision: int
    since: int
    entries: list[HistoryEntry]
    next: NotRequired[str]


class Sending(TypedDict, total=False):
    """How a request is sent: its idempotency key, the seconds until it is given up, and further fields of its head."""

    key: str
    timeout: float
    headers: Mapping[str, str]


class Requesting(Sending, total=False):
    """With `wait` an answer may come that many seconds later, at most 25; `is_question`: a POST changes nothing."""

    query: Mapping[str, Any]
    body: Any
    type: str
    wait: float
    is_question: bool


class Changing(Sending, total=False):
    """With `dry_run` nothing is kept; with `explain` the answer has a trace."""

    dry_run: bool
    explain: bool


class Starting(TypedDict, total=False):
    """Searches begin at the responder `from_`, else at the first one of the `window`, else at that of the key one."""

    from_: str
    window: str


class Tracing(Starting, total=False):
    """A `sender` other than the program; with `explain` the answer has a trace."""

    explain: bool
    sender: Mapping[str, Any]


class Holding(Starting, total=False):
    """The `modifiers` that are held down."""

    modifiers: Sequence[str]


class Showing(Holding, total=False):
    """How a menu is asked for."""

    explain: bool


class Assuming(Holding, total=False):
    """How items are asked for that are assumed."""

    sender: Mapping[str, Any]


class Asking(Holding, Tracing, total=False):
    """How items are asked for."""


class Confirming(Changing, total=False):
    """How a message is sent; `wait` is for its deliveries, and `confirm` asks a person."""

    wait: float
    confirmed: bool
    confirm: Callable[[Object], bool | Awaitable[bool]]


class Pressing(Confirming, Tracing, total=False):
    """How a key is pressed."""


class Planned(Confirming, total=False):
    """How a plan is performed."""

    item: bool


class Performing(Planned, Asking, total=False):
    """How a command is performed."""

    item_key: str
    arguments: Sequence[Any]
    parameters: Mapping[str, Any]
    to: str


class Acting(Changing, Tracing, total=False):
    """How an action is sent; `wait` is for its deliveries."""

    arguments: Sequence[Any]
    to: str
    wait: float


class Filter(TypedDict, total=False):
    """The entries of a history: `actor` is a label or a kind, `kind` several kinds with commas."""

    limit: int
    cursor: str
    after: int
    actor: str
    command: str
    kind: str


# MARK: Platforms
#
# All that coroutines of this module wait for. The operations of a connection (a wire) raise `TimeoutError` at its
# deadline, a moment of `time.monotonic`. A bell wakes those that wait until a condition holds.


class _ThreadWire:
    def __init__(self, connection: socket.socket, deadline: float) -> None:
        self.connection, self.deadline = connection, deadline

    def _limit(self) -> None:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self.connection.settimeout(left)

    async def send(self, data: bytes) -> None:
        self._limit()
        # A server can refuse a request, and hang up, before it has read all of it.
        with contextlib.suppress(ConnectionError):
            self.connection.sendall(data)

    async def receive(self) -> bytes:
        self._limit()
        return self.connection.recv(65536)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            # Ends a `recv` of another thread.
            self.connection.shutdown(socket.SHUT_RDWR)
        self.connection.close()


class _TaskWire:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, deadline: float) -> None:
        self.reader, self.writer, self.deadline = reader, writer, deadline

    async def send(self, data: bytes) -> None:
        # The answer can come before all is sent.
        self.writer.write(data)

    async def receive(self) -> bytes:
        async with asyncio.timeout(self.deadline - time.monotonic()):
            return await self.reader.read(65536)

    def close(self) -> None:
        # What is not sent yet would be waited for.
        self.writer.transport.abort()


class _ThreadBell:
    def __init__(self) -> None:
        # Its lock is reentrant, since a signal handler may ring.
        self._condition = threading.Condition(threading.RLock())

    def ring(self) -> None:
        with self._condition:
            self._condition.notify_all()

    async def until(self, condition: Callable[[], bool], seconds: float | None = None) -> bool:
        with self._condition:
            return self._condition.wait_for(condition, seconds)


class _TaskBell:
    def __init__(self) -> None:
        self._event = asyncio.Event()

    def ring(self) -> None:
        self._event.set()
        self._event = asyncio.Event()

    async def until(self, condition: Callable[[], bool], seconds: float | None = None) -> bool:
        try:
            async with asyncio.timeout(seconds):
                while not condition():
                    await self._event.wait()
        except TimeoutError:
            return condition()
        return True


_Wire = _ThreadWire | _TaskWire
_Bell = _ThreadBell | _TaskBell


class _Threads:
    """Waits by blocking the thread."""

    bell = _ThreadBell

    @staticmethod
    async def connect(host: str, port: int, context: ssl.SSLContext | None, deadline: float) -> _Wire:
        connection = socket.create_connection((host, port), max(0.001, deadline - time.monotonic()))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if context:
            connection = context.wrap_socket(connection, server_hostname=host)
        return _ThreadWire(connection, deadline)

    @staticmethod
    def start(work: Coroutine[Any, Any, None]) -> None:
        threading.Thread(target=_finish, args=(work,), name="menud", daemon=True).start()


class _Tasks:
    """Waits by suspending the task."""

    bell = _TaskBell
    _running: set[asyncio.Task[None]] = set()

    @staticmethod
    async def connect(host: str, port: int, context: ssl.SSLContext | None, deadline: float) -> _Wire:
        async with asyncio.timeout(deadline - time.monotonic()):
            reader, writer = await asyncio.open_connection(host, port, ssl=context)
        return _TaskWire(reader, writer, deadline)

    @staticmethod
    def start(work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        # A loop keeps no tasks alive.
        _Tasks._running.add(task)
        task.add_done_callback(_Tasks._running.discard)


_Platform = type[_Threads] | type[_Tasks]


class _Blocking:
    _platform: _Platform = _Threads


class _Suspending:
    _platform: _Platform = _Tasks


def _finish(work: Awaitable[T]) -> T:
    """Returns the result of an awaitable that never suspends."""
    try:
        next(work.__await__())
    except StopIteration as end:
        return cast(T, end.value)
    raise RuntimeError("A blocking client cannot wait for a coroutine: use AsyncClient.")


def _each(elements: AsyncIterator[T]) -> Iterator[T]:
    """Iterates over elements that are made without suspending."""
    while True:
        try:
            yield _finish(anext(elements))
        except StopAsyncIteration:
            return


class _method(Generic[P, T]):
    """A method of both classes: a coroutine in the suspending one, and a call that blocks in the blocking one."""

    def __init__(self, function: Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]) -> None:
        self.function = function
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, instance: _Blocking, owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, instance: _Suspending, owner: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        function: Any = self.function
        if isinstance(instance, _Suspending):
            return functools.partial(function, instance)
        return lambda *args, **named: _finish(function(instance, *args, **named))  # pyright: ignore


class _Turns:
    """Lets one caller after the other proceed, in the order of their calls."""

    def __init__(self, bell: _Bell) -> None:
        self._bell, self._queue = bell, list[object]()

    @contextlib.asynccontextmanager
    async def take(self, seconds: float) -> AsyncGenerator[None, None]:
        """Waits for a turn that many seconds."""
        turn = object()
        self._queue.append(turn)
        try:
            if not await self._bell.until(lambda: self._queue[0] is turn, seconds):
                raise Unreached("It was not sent: the changes before it had no answer in time.")
            yield
        finally:
            self._queue.remove(turn)
            self._bell.ring()


# MARK: HTTP

_LONGEST_HEAD = 1 << 16
_LONGEST_BODY = 1 << 28


class _Response:
    """An answer that is read from a connection, up to bounds; a malformed one raises `ConnectionError`."""

    def __init__(self, wire: _Wire) -> None:
        self.wire = wire
        self.status = 0
        self._is_read = False
        self.fields: dict[str, str] = {}
        self._buffer = bytearray()

    async def begin(self) -> None:
        """Reads the head."""
        while self.status < 200:
            first = re.fullmatch(r"HTTP/1\.[01] ([1-5]\d\d)( .*)?", await self._line())
            if not first:
                raise ConnectionError("The answer is not HTTP.")
            self.status, self.fields, size = int(first[1]), {}, 0
            while line := await self._line():
                name, colon, value = line.partition(":")
                size += len(line)
                if not colon or size > _LONGEST_HEAD:
                    raise ConnectionError("The head of the answer is malformed.")
                self.fields[name.lower()] = value.strip()

    @property
    def keeps_connection(self) -> bool:
        """True if the answer is read, and another request can follow."""
        return self._is_read and self.fields.get("connection", "").lower() != "close" and not self._buffer

    async def pieces(self) -> AsyncIterator[bytes]:
        """Reads the body, piece by piece."""
        if self.status in (204, 304):
            pass
        elif self.fields.get("transfer-encoding", "").lower() == "chunked":
            while size := _size(await self._line(), 16):
                async for piece in self._exactly(size):
                    yield piece
                await self._line()
            while await self._line():
                pass
        elif "content-length" in self.fields:
            async for piece in self._exactly(_size(self.fields["content-length"], 10)):
                yield piece
        else:
            while piece := bytes(self._buffer) or await self.wire.receive():
                self._buffer.clear()
                yield piece
            # The end of the connection is that of the body.
            return
        self._is_read = True

    async def events(self, silence: float) -> AsyncIterator[dict[str, str]]:
        """Reads the body as Server-Sent Events (HTML, 9.2); a piece comes at least every `silence` seconds."""
        rest, event = bytearray(), dict[str, str]()
        async for piece in self.pieces():
            self.wire.deadline = time.monotonic() + silence
            rest += piece
            if len(rest) + len(event.get("data", "")) > _LONGEST_BODY:
                raise ConnectionError("An event is too long.")
            *lines, rest = rest.split(b"\n") if b"\n" in piece else [rest]
            for line in lines:
                text = line.decode().removesuffix("\r")
                name, _, value = text.partition(":")
                value = value.removeprefix(" ")
                if name:
                    event[name] = f"{event[name]}\n{value}" if name == "data" and name in event else value
                elif event and not text:
                    yield event
                    event = {}

    async def text(self) -> str:
        """Reads the whole body."""
        body = bytearray()
        async for piece in self.pieces():
            body += piece
            if len(body) > _LONGEST_BODY:
                raise ConnectionError("The body of the answer is too long.")
        return body.decode(errors="replace")

    async def _exactly(self, size: int) -> AsyncIterator[bytes]:
        while size:
            if not self._buffer:
                await self._fill()
            piece = bytes(self._buffer[:size])
            del self._buffer[:size]
            size -= len(piece)
            yield piece

    async def _fill(self) -> None:
        piece = await self.wire.receive()
        if not piece:
            raise ConnectionError("The connection broke.")
        self._buffer += piece

    async def _line(self) -> str:
        while (end := self._buffer.find(b"\n")) < 0:
            if len(self._buffer) > _LONGEST_HEAD:
                raise ConnectionError("A line of the answer is too long.")
            await self._fill()
        line = self._buffer[:end].decode("latin-1").removesuffix("\r")
        del self._buffer[:end + 1]
        return line


def _size(text: str, base: int) -> int:
    digits = text.partition(";")[0].strip()
    if not re.fullmatch(r"[0-9a-fA-F]{1,15}" if base == 16 else r"[0-9]{1,15}", digits):
        raise ConnectionError("The length of the answer is malformed.")
    return int(digits, base)


@dataclass(frozen=True)
class Answer:
    """An answer: its status, the fields of its head by their names in lower case, and the text of its body."""

    status: int
    fields: Mapping[str, str]
    text: str

    @functools.cached_property
    def body(self) -> Any:
        """The parsed JSON; None without a body. Raises `Unreached` if it is no JSON: something else answered."""
        try:
            return json.loads(self.text) if self.text.strip() else None
        except ValueError as error:
            raise Unreached("The answer is no JSON.") from error


# MARK: Requests


def path(*parts: str) -> str:
    """Returns a path of escaped parts: `path("sessions", "a/b")` is `/sessions/a%2Fb`."""
    return "".join("/" + quote(part, safe=":") for part in parts)


def _named(name: str) -> str:
    """Returns the name of a member of JSON for that of an argument: `dryRun` for `dry_run`, and `from` for `from_`."""
    return re.sub(r"_(\w)", lambda letter: letter[1].upper(), name).removesuffix("_")


def _members(**said: Any) -> Object:
    """Returns the arguments that are not None as members."""
    return {_named(name): value for name, value in said.items() if value is not None}


def _addressed(path: str, query: Mapping[str, Any]) -> str:
    """Returns a path with a query. A list is one word with commas; what is false, None or empty is omitted."""
    def text(value: Any) -> str:
        return "true" if value is True else ",".join(map(str, value)) if _is_list(value) else str(value)

    told = {name: text(value) for name, value in query.items() if value is not None and value is not False}
    words = "&".join(f"{name}={quote(value, safe=':,')}" for name, value in told.items() if value)
    return path + ("&" if "?" in path else "?") + words if words else path


class _Connections:
    """The connections to one server, which are kept alive."""

    def __init__(self, url: str, context: ssl.SSLContext | None, platform: _Platform) -> None:
        parts = urlsplit(url if "://" in url else "http://" + url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            # It may have a password.
            address = re.sub(r"^(\w+://)?.*@", r"\1", url)
            raise ValueError(f"'{address}' is not the address of a server.")
        self.platform, self.is_closed, self.bell, self._url = platform, False, platform.bell(), url
        self._context = (context or ssl.create_default_context()) if parts.scheme == "https" else None
        self._host, self._port = parts.hostname, parts.port or (443 if self._context else 80)
        self._prefix, self._authority = parts.path.rstrip("/"), parts.netloc.rpartition("@")[2]
        self._idle: list[_Wire] = []
        self._busy: set[_Wire] = set()
        self._others: weakref.WeakSet[_Connections] = weakref.WeakSet()

    def apart(self) -> _Connections:
        """Returns connections to the same server that can be closed alone."""
        other = _Connections(self._url, self._context, self.platform)
        self._others.add(other)
        other.is_closed = self.is_closed
        return other

    def close(self) -> None:
        self.is_closed = True
        for wire in [*self._idle, *self._busy]:
            wire.close()
        self.bell.ring()
        for other in [*self._others]:
            other.close()

    @contextlib.asynccontextmanager
    async def open(self, method: str, path: str, fields: Mapping[str, str], content: bytes,
                   deadline: float) -> AsyncGenerator[_Response, None]:
        """Sends a request once, and gives its answer with the head read. Raises `Unreached` if the connection fails."""
        try:
            response = await self._begin(self._head(method, path, fields, len(content)) + content, deadline)
            try:
                yield response
            finally:
                self._end(response)
        except TimeoutError as error:
            raise Unreached("The server did not answer in time.") from error
        except OSError as error:
            is_final = isinstance(error, ssl.SSLCertVerificationError)
            raise Unreached(f"The server is not reached: {error}", is_final) from error

    async def _begin(self, data: bytes, deadline: float) -> _Response:
        while True:
            if self.is_closed:
                raise ConnectionError("The client is closed.")
            try:
                wire, is_kept = self._idle.pop(), True
            except IndexError:
                wire = await self.platform.connect(self._host, self._port, self._context, deadline)
                is_kept = False
            wire.deadline = deadline
            self._busy.add(wire)
            if self.is_closed:
                wire.close()
            response = _Response(wire)
            try:
                await wire.send(data)
                await response.begin()
                return response
            except BaseException as error:
                self._end(response)
                # The server may have closed the idle connection.
                if not is_kept or isinstance(error, TimeoutError) or not isinstance(error, OSError):
                    raise

    def _end(self, response: _Response) -> None:
        self._busy.discard(response.wire)
        if response.keeps_connection and not self.is_closed:
            self._idle.append(response.wire)
        else:
            response.wire.close()

    def _head(self, method: str, path: str, fields: Mapping[str, str], length: int) -> bytes:
        size = {"Content-Length": str(length)} if length or method != "GET" else {}
        lines = [f"{method} {self._prefix}/{path.lstrip('/')} HTTP/1.1", f"Host: {self._authority}"]
        lines += [f"{name}: {value}" for name, value in {"User-Agent": "menud.py", **size, **fields}.items()]
        if " " in path or not path.isascii() or any(re.search(r"[\x00-\x1f\x7f]", line) for line in lines):
            raise ValueError("A path or a field has a character that HTTP does not allow.")
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


_MAKING_TURNS = threading.Lock()


@dataclass(frozen=True)
class _Channel:
    """The requests to one server with one token, and their retries."""

    connections: _Connections
    token: str | None = field(repr=False)
    timeout: float
    attempts: int
    all_turns: weakref.WeakValueDictionary[str, _Turns] = field(
        default_factory=weakref.WeakValueDictionary[str, "_Turns"])

    def apart(self) -> _Channel:
        """Returns a channel whose connections can be closed alone."""
        return replace(self, connections=self.connections.apart())

    def turns(self, session: str) -> _Turns:
        """The order of the changes of a session."""
        with _MAKING_TURNS:
            return self.all_turns.setdefault(session, _Turns(self.connections.platform.bell()))

    async def request(self, method: str, path: str, **options: Unpack[Requesting]) -> Answer:
        """Sends a request, again while there is no final answer."""
        timeout, wait, body = options.get("timeout", self.timeout), options.get("wait", 0), options.get("body")
        fields = dict(options.get("headers", {}))
        if wait:
            fields["Prefer"] = f"wait={math.ceil(wait)}"
        if method != "GET" and not options.get("is_question"):
            fields["Idempotency-Key"] = f'"{options.get("key") or secrets.token_hex(16)}"'
        if body is not None:
            fields["Content-Type"] = options.get("type", "application/json")
        content = b"" if body is None else write(body).encode()
        target = _addressed(path, options.get("query", {}))
        deadline = time.monotonic() + timeout + wait
        for attempt in itertools.count(1):
            try:
                limit = min(deadline, time.monotonic() + timeout / 2 + wait)
                return await self._answer(method, target, fields, content, limit)
            except (Problem, Unreached) as error:
                pause = error.retry_after or 0.1 * 2**attempt
                is_over = attempt >= self.attempts or time.monotonic() + pause >= deadline
                if error.is_final or is_over or self.connections.is_closed:
                    raise
            await self.connections.bell.until(lambda: self.connections.is_closed, pause)
        raise AssertionError

    async def _answer(self, method: str, path: str, fields: Mapping[str, str], content: bytes, limit: float) -> Answer:
        async with self.open(method, path, fields, content, limit) as response:
            answer = Answer(response.status, response.fields, await response.text())
        if answer.status >= 300 and answer.status != 304:
            raise _problem(answer)
        return answer

    def open(self, method: str, path: str, fields: Mapping[str, str], content: bytes,
             deadline: float) -> AbstractAsyncContextManager[_Response]:
        """Sends a request once with the token."""
        authorization = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return self.connections.open(method, path, {**authorization, **fields}, content, deadline)


def _problem(answer: Answer) -> Problem:
    try:
        document = json.loads(answer.text)
    except ValueError:
        document = None
    after = answer.fields.get("retry-after", "")
    return Problem(answer.status, document if _is_object(document) else {},
                   float(after) if re.fullmatch(r"\d{1,6}", after) else 0)


# MARK: Mirrors


@dataclass(frozen=True)
class Event:
    """An event of a mirror: `reset`, `change`, `closed`, or `connection`, and the data that menud sent with it."""

    name: str
    told: Object


class _Mirror:
    """A copy of a session, updated by events: the answers of GET, to the byte.

    When its connection breaks it connects again, and goes on after the last event. In a `Client` each mirror has a
    thread and a connection, in an `AsyncClient` a task and a connection. Iterating over a mirror gives its contents
    now, and again after each change, up to its end; a slow loop misses some, and gets the last.
    """

    def __init__(self, channel: _Channel, session: str, query: Object, silence: float) -> None:
        self.session = session
        #: The contents, which each event replaces as a whole.
        self.contents = Contents(-1, -1)
        self.is_connected = False
        #: The reason of the end: `sessionClosed`, `expired` or `tokenRevoked`; None if it was closed here or refused.
        self.reason: str | None = None
        #: The refusal, or the error of a listener, that ended it.
        self.error: Exception | None = None
        #: The number of `reset` events so far.
        self.resets = 0
        self._channel = channel.apart()
        self._path = _addressed(path("sessions", session, "events"), query)
        self._silence, self._retry = silence, 2.0
        self._id: str | None = None
        self._failure: Problem | Unreached | None = None
        self._bell = self._channel.connections.bell
        self._listeners: list[Callable[[Event], object]] = []

    @property
    def is_closed(self) -> bool:
        """True if it has ended."""
        return self._channel.connections.is_closed

    @property
    def revision(self) -> int:
        """The revision of the contents."""
        return self.contents.revision

    @property
    def document(self) -> Object:
        """The answer to `GET /sessions/{session}`."""
        return self.contents.document or {}

    @property
    def document_text(self) -> str:
        """The same as a text, to the byte."""
        return write(self.contents.document)

    @property
    def state(self) -> Any:
        """The state of the document."""
        return self.document.get("state")

    @property
    def menu(self) -> Menu | None:
        """The menu."""
        return self.contents.menu

    @property
    def keys(self) -> Sequence[SessionKey]:
        """The keys that mean something, in order (K7)."""
        return self.contents.keys

    @property
    def tools(self) -> Sequence[Object]:
        """The tools that the session's agents list with `?tools=enabled`."""
        return self.contents.tools

    @property
    def deliveries(self) -> Sequence[Delivery]:
        """The deliveries in the requested states, ordered by id."""
        return self.contents.deliveries

    def item(self, command: str) -> Item:
        """Returns the item of a command that is followed."""
        return self.contents.items[command]

    def means(self, strokes: Sequence[Key]) -> tuple[SessionKey | None, list[SessionKey]]:
        """Returns what strokes mean now, and the longer keys that begin with them, of those that can be performed (K8).

        With longer keys, wait for the next stroke; after a second without one, `press` the strokes with `final`, if
        they mean something themselves.
        """
        found = [key for key in self.keys if key.get("enabled", True) and _begins(key["strokes"], strokes)]
        whole = [key for key in found if len(key["strokes"]) == len(strokes)]
        # Of a key that is not for this token, there are the strokes alone.
        longer = [key for key in found if len(key["strokes"]) > len(strokes) and "action" in key]
        return whole[0] if whole and "action" in whole[0] else None, longer

    def subscribe(self, listener: Callable[[Event], object]) -> Callable[[], None]:
        """Calls a function after each event, in the mirror's thread or task, until the returned function is called."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def close(self) -> None:
        """Stops following."""
        self._channel.connections.close()

    @_method
    async def reaches(self, revision: int, timeout: float | None = None) -> bool:
        """Waits until it has a revision, such as that of an answer; False if it ends or the time passes before."""
        await self._bell.until(lambda: self.is_closed or self.revision >= revision, timeout)
        return self.revision >= revision

    async def _all(self) -> AsyncIterator[Contents]:
        last: Contents | None = None
        while await self._bell.until(lambda: self.is_closed or self.contents is not last) and self.contents is not last:
            last = self.contents
            yield last
        if self.error:
            raise self.error

    async def begin(self) -> None:
        """Waits for the first contents; raises a refusal, and `Unreached` if the server does not answer in time."""
        self._channel.connections.platform.start(self._run())
        try:
            await self._bell.until(lambda: self.is_closed or self.revision >= 0, self._channel.timeout)
        except BaseException:
            self.close()
            raise
        if self.revision < 0:
            self.close()
            closed = Problem(404, {"detail": f"The session '{self.session}' is closed."})
            late = self._failure or Unreached("The server did not answer in time.")
            raise self.error or (closed if self.reason else late)

    async def _run(self) -> None:
        failures = 0
        try:
            while not self.is_closed:
                pause = await self._attempt()
                failures = 0 if self.is_connected else failures + 1
                self._connected(False)
                pause = max(pause, min(self._retry, 0.1 * 2**min(failures, 20)) * random.uniform(0.5, 1))
                await self._bell.until(lambda: self.is_closed, pause)
        finally:
            self.close()
            self.is_connected = False
            self._tell(Event("closed", {"reason": self.reason}))

    async def _attempt(self) -> float:
        """Follows until the connection breaks; returns the seconds that the server wants to be left alone."""
        try:
            await self._follow()
        except (Problem, Unreached) as error:
            if not error.is_final:
                self._failure = error
                return error.retry_after
            if isinstance(error, Problem) and error.status == 404 and self._id is not None:
                self._end("sessionClosed")
            else:
                self._end(error=error)
        except Exception:
            # A change that cannot be applied is followed by a reset.
            self._id = None
        return 0

    async def _follow(self) -> None:
        fields = {"Accept": "text/event-stream"} | ({"Last-Event-ID": self._id} if self._id else {})
        deadline = time.monotonic() + self._silence
        async with self._channel.open("GET", self._path, fields, b"", deadline) as response:
            if response.status == 204:
                return self._end("sessionClosed")
            if response.status != 200:
                raise _problem(Answer(response.status, response.fields, await response.text()))
            # A mirror that missed nothing gets no event.
            self._connected(self._id is not None)
            async for event in response.events(self._silence):
                self._take(event)

    def _take(self, event: Mapping[str, str]) -> None:
        if "retry" in event:
            self._retry = int(event["retry"]) / 1000
        name, told = event.get("event", ""), json.loads(event.get("data", "{}"))
        if name == "reset":
            self.contents = Contents.reset(told)
            self.resets += 1
        elif name == "change":
            self.contents = self.contents.changed(told)
        self._id = event.get("id", self._id)
        if not name and (revisions := re.fullmatch(r"\w+\.(\d+)\.(\d+)", event.get("id", ""))):
            # An id alone tells the revisions with which the contents are up to date (E4).
            self.contents = replace(self.contents, catalog_revision=int(revisions[1]), revision=int(revisions[2]))
            self._bell.ring()
        if name == "closed" and told["reason"] != "draining":
            self._end(told["reason"])
        elif name in ("reset", "change"):
            self._connected(True)
            self._tell(Event(name, told))

    def _connected(self, is_connected: bool) -> None:
        if is_connected != self.is_connected:
            self.is_connected = is_connected
            self._tell(Event("connection", {"connected": is_connected}))

    def _tell(self, event: Event) -> None:
        self._bell.ring()
        for listener in [*self._listeners]:
            try:
                listener(event)
            except Exception as error:
                self._end(error=error)

    def _end(self, reason: str | None = None, error: Exception | None = None) -> None:
        self.reason, self.error = self.reason or reason, self.error or error
        self.close()


class Mirror(_Blocking, _Mirror):
    def __iter__(self) -> Iterator[Contents]:
        return _each(self._all())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class AsyncMirror(_Suspending, _Mirror):
    def __aiter__(self) -> AsyncIterator[Contents]:
        return self._all()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        self.close()


# MARK: Deliveries


@dataclass(frozen=True)
class Reply:
    """A result, with mutations that are applied with it; they are one undo group unless `undo` is false."""

    result: Any = None
    mutations: Sequence[Mapping[str, Any]] = ()
    undo: bool = True


class Work:
    """A claimed delivery, while a function works on it."""

    def __init__(self, session: str, delivery: Delivery, seconds: float, bell: _Bell) -> None:
        #: The name of the session.
        self.session = session
        self.delivery = delivery
        #: The number of the claim.
        self.claim = delivery["claims"]
        #: True if the delivery is to be given up: its cancellation is asked for, or the claim is lost.
        self.is_cancelled = False
        self.is_over = False
        #: The progress and the message that are not sent yet.
        self.news: Object = {}
        self.seconds, self.bell = seconds, bell

    @property
    def id(self) -> int:
        """The number of the delivery in its session."""
        return self.delivery["id"]

    @property
    def value(self) -> Any:
        """The value from the handler."""
        return self.delivery["value"]

    def progress(self, value: float | None = None, message: str | None = None) -> None:
        """Tells the progress, from 0 to 1, and a text for people. It is sent in the background, at most every 250 ms.

        Raises `Cancelled` like `check`.
        """
        self.check()
        if value is not None and not 0 <= value <= 1:
            raise ValueError(f"The progress is {value}, and not from 0 to 1.")
        news = _members(progress=value, message=message)
        # What cannot be sent is raised here.
        write(news).encode()
        # Another thread takes the news away meanwhile.
        self.news.update(news)
        self.bell.ring()

    def check(self) -> None:
        """Raises `Cancelled` if the delivery is to be given up."""
        if self.is_cancelled:
            raise Cancelled(f"The delivery {self.id} is to be given up.")

    def end(self) -> None:
        self.is_over = True
        self.bell.ring()


class _Pool:
    """Deliveries to the application (D5): claimed, worked on, and settled once, by a worker with a name."""

    def __init__(self, channel: _Channel, path: str, by: str | None, commands: Sequence[str] | None) -> None:
        self.by, self.commands = by, commands
        self._channel, self._path = channel, path
        # `stop` ends a claim that waits, and no other request.
        self._claims = channel.apart()

    def stop(self) -> None:
        """Ends `work`, after the delivery in hand. A signal handler and another thread can call it in a `Client`."""
        self._claims.connections.close()

    @_method
    async def next(self, wait: float = 0) -> Work | None:
        """Claims the first open delivery; None if there is none within `wait` seconds, at most 25."""
        return await self._claim(self._channel, "claim", wait, commands=self.commands)

    @_method
    async def renew(self, work: Work, progress: float | None = None, message: str | None = None) -> None:
        """Holds the claim for as long again, and tells the progress (D6). `work` does so by itself."""
        await self._renew(work, _members(progress=progress, message=message))

    @_method
    async def reply(self, work: Work, result: Any = None, mutations: Sequence[Mapping[str, Any]] = (),
                    undo: bool = True) -> Delivery:
        """Settles a delivery by a result."""
        return await self._settle(work, "reply", _replying(Reply(result, mutations, undo)))

    @_method
    async def fail(self, work: Work, problem: Mapping[str, Any]) -> Delivery:
        """Settles a delivery by a problem, such as `{"title": "The disk is full"}`."""
        return await self._settle(work, "fail", {"problem": problem})

    async def _claim(self, channel: _Channel, part: str, wait: float = 0, **said: Any) -> Work | None:
        answer, body = await self._persistently(channel, f"{self._path}/{part}", _members(by=self.by, **said), wait)
        if body is None:
            return None
        seconds, bell = _seconds_left(body["delivery"], answer), channel.connections.platform.bell()
        return Work(body["session"], body["delivery"], seconds, bell)

    def _part(self, work: Work, word: str) -> str:
        return path("sessions", work.session, "deliveries", str(work.id), word)

    async def _renew(self, work: Work, news: Object) -> None:
        body = {"claim": work.claim, **news}
        answer = await self._channel.request("POST", self._part(work, "renew"), body=body)
        if not answer.body:
            raise Unreached("The answer is empty.")
        work.delivery = answer.body["delivery"]
        work.seconds = _seconds_left(work.delivery, answer)
        if work.delivery["state"] == "cancelling":
            work.is_cancelled = True

    async def _settle(self, work: Work, word: str, said: Object) -> Delivery:
        _, body = await self._persistently(self._channel, self._part(work, word), {"claim": work.claim, **said})
        work.delivery = body["delivery"]
        return work.delivery

    async def _persistently(self, channel: _Channel, path: str, body: Object, wait: float = 0) -> tuple[Answer, Any]:
        """Sends a change, with one key, until it has a final answer or the worker is stopped."""
        key = secrets.token_hex(16)
        for failures in itertools.count(1):
            try:
                answer = await channel.request("POST", path, body=body, key=key, wait=wait)
                return answer, answer.body
            except (Problem, Unreached) as error:
                if error.is_final or self._is_stopped:
                    raise
                pause = max(error.retry_after, min(30, 0.25 * 2**min(failures, 10)) * random.uniform(0.5, 1))
            await self._claims.connections.bell.until(lambda: self._is_stopped, pause)
        raise AssertionError

    @property
    def _is_stopped(self) -> bool:
        return self._claims.connections.is_closed

    async def _work(self, function: Callable[[Work], Awaitable[Any]], count: int | None) -> None:
        for _ in itertools.count() if count is None else range(count):
            work = await self._wait()
            if work is None:
                return
            await self._do(work, function)

    async def _wait(self) -> Work | None:
        """Claims the next delivery; None if the worker is stopped, or its session closed."""
        while not self._is_stopped:
            start = time.monotonic()
            try:
                work = await self._claim(self._claims, "claim", 20, commands=self.commands)
            except (Problem, Unreached) as error:
                if self._is_stopped or isinstance(error, Problem) and error.type == "/problems/unknown-session":
                    return None
                raise
            if work:
                return work
            # A server that is about to stop, or has too many waiting requests, answers at once.
            pause = max(0, start + 0.5 - time.monotonic())
            await self._claims.connections.bell.until(lambda: self._is_stopped, pause)
        return None

    async def _do(self, work: Work, function: Callable[[Work], Awaitable[Any]]) -> None:
        self._channel.connections.platform.start(self._keep(work))
        try:
            answer = await function(work)
            word, said = "reply", _replying(answer if isinstance(answer, Reply) else Reply(answer))
            write(said).encode()
        except Cancelled:
            word, said = "cancel", Object()
        except Exception as error:
            word, said = "fail", _failing(error)
        finally:
            work.end()
        while True:
            try:
                await self._settle(work, word, said)
                return
            except Problem as problem:
                if not problem.is_final:
                    raise
                if word != "reply" or problem.type == "/problems/delivery-conflict":
                    # Another worker settled or claimed it, or its session is closed.
                    return
                word, said = "fail", _failing(problem)

    async def _keep(self, work: Work) -> None:
        """Renews a claim, and tells its news, while a function works."""
        while not work.is_over:
            await work.bell.until(lambda: work.is_over or bool(work.news), work.seconds / 3)
            if not work.is_over:
                pause = await self._tell(work, {name: work.news.pop(name) for name in [*work.news]})
                await work.bell.until(lambda: work.is_over, pause)

    async def _tell(self, work: Work, news: Object) -> float:
        """Renews a claim, and tells the news; returns the seconds until the next can be told."""
        try:
            await self._renew(work, news)
        except (Problem, Unreached) as error:
            if not error.is_final:
                for name, value in news.items():
                    work.news.setdefault(name, value)
                return min(max(0.25, error.retry_after), work.seconds / 3)
            if isinstance(error, Problem) and error.status in (401, 403, 404, 409):
                work.is_cancelled = True
                work.end()
            elif news:
                # Refused news are dropped.
                await self._tell(work, {})
        return 0.25


def _replying(reply: Reply) -> Object:
    return {"result": reply.result} | _members(
        mutations=[*reply.mutations] or None, undo=None if reply.undo else False)


# Of a longer one the end is left out, so that no server refuses it.
_LONGEST_TITLE = 4096


def _failing(error: Exception) -> Object:
    title = str(error) or type(error).__name__
    if len(title) > _LONGEST_TITLE:
        title = title[:_LONGEST_TITLE - 1] + "…"
    # The names of files can have bytes that are no text.
    return {"problem": {"title": title.encode(errors="replace").decode()}}


def _seconds_left(delivery: Delivery, answer: Answer) -> float:
    """The seconds until a claim ends, by this machine's clock and the server's: the clocks may differ."""
    if not delivery["claim"]:
        return 1
    until = datetime.fromisoformat(delivery["claim"]["until"])
    moments = [datetime.now(UTC)]
    with contextlib.suppress(ValueError):
        moments.append(parsedate_to_datetime(answer.fields.get("date", "")))
    return min((left for moment in moments if (left := (until - moment).total_seconds()) > 0), default=1)


class _Deliveries(_Pool):
    """The deliveries of a session."""

    @_method
    async def list(self, state: str | None = None, command: str | None = None) -> list[Delivery]:
        """Returns all deliveries, or those in some states, separated by commas, or of a command."""
        query = {"state": state, "command": command}
        return cast("list[Delivery]", (await self._channel.request("GET", self._path, query=query)).body["deliveries"])

    @_method
    async def get(self, id: int, wait: float = 0) -> Delivery:
        """Returns the delivery of a number, once it is settled or `wait` seconds are over, at most 25."""
        answer = await self._channel.request("GET", f"{self._path}/{id}", wait=wait)
        return cast(Delivery, answer.body["delivery"])

    @_method
    async def claim(self, id: int) -> Work:
        """Claims the delivery of a number."""
        return cast(Work, await self._claim(self._channel, f"{id}/claim"))

    @_method
    async def cancel(self, id: int) -> Delivery:
        """Cancels the delivery of a number: at once if it is open, else by asking its worker (D6)."""
        answer = await self._channel.request("POST", f"{self._path}/{id}/cancel", body={})
        return cast(Delivery, answer.body["delivery"])


class Pool(_Blocking, _Pool):
    def work(self, function: Callable[[Work], Any], count: int | None = None) -> None:
        """Works until it is stopped, `count` deliveries are settled, or the session is closed.

        Claims one delivery after the other, and calls the function, which returns a result or a `Reply`; the delivery
        fails if it raises. The claim is renewed meanwhile, in another thread.
        """
        async def call(work: Work) -> Any:
            return function(work)
        _finish(self._work(call, count))


class AsyncPool(_Suspending, _Pool):
    async def work(self, function: Callable[[Work], Awaitable[Any]], count: int | None = None) -> None:
        """Works until it is stopped or cancelled, `count` deliveries are settled, or the session is closed.

        Claims one delivery after the other, and calls the function, which returns a result or a `Reply`; the delivery
        fails if it raises. The claim is renewed meanwhile.
        """
        await self._work(function, count)


class Deliveries(Pool, _Deliveries):
    """The deliveries of a session."""


class AsyncDeliveries(AsyncPool, _Deliveries):
    """The deliveries of a session."""


# MARK: Sessions


class _Session(Generic[M, D]):
    """A session: questions about it, and changes of it.

    Changes are sent one after the other, in the order of the calls. One whose turn does not come in time is not sent.
    """

    _mirror_type: type[M]
    _pool_type: type[D]

    def __init__(self, channel: _Channel, id: str) -> None:
        self._channel = channel
        self.id = id

    @property
    def token(self) -> str | None:
        """The token of its requests, such as the one that `open` got."""
        return self._channel.token

    def path(self, *parts: str) -> str:
        """Returns the path of a part of the session."""
        return path("sessions", self.id, *parts)

    @property
    def _field(self) -> dict[str, str]:
        """The field that names the session where only the body does, for load balancers; encoded as in a path."""
        return {"Menud-Session": path(self.id).removeprefix("/")}

    # Questions.

    async def _read(self, shape: type[T], *parts: str, **query: Any) -> T:
        return cast(T, (await self._channel.request("GET", self.path(*parts), query=_members(**query))).body)

    async def _ask(self, shape: type[T], path: str, member: str | None = None, **body: Any) -> T:
        said = {"session": self.id} | _members(**body)
        answer = await self._channel.request("POST", path, body=said, is_question=True, headers=self._field)
        return cast(T, answer.body[member] if member else answer.body)

    @_method
    async def document(self) -> Object:
        """Returns all of the session: its state, responders and focus."""
        return await self._read(Object)

    @_method
    async def menu(self, menu: str | None = None, *, kind: str | None = None, **asking: Unpack[Showing]) -> Menu:
        """Returns the main menu as it is now, or another one."""
        return (await self._read(dict[str, Menu], "menu", menu=menu, kind=kind, **asking))["menu"]

    @_method
    async def form(self, command: str, **asking: Unpack[Holding]) -> Item:
        """Returns the item of a command, and in `schema` that of its parameters as it is now (P4)."""
        return await self._read(Item, "commands", command, "form", **asking)

    @_method
    async def keys(self, platform: str = "other", **asking: Unpack[Starting]) -> list[SessionKey]:
        """Returns the keys that mean something now, in order, on the platform `apple` or `other` (K7)."""
        return (await self._read(dict[str, list[SessionKey]], "keys", platform=platform, **asking))["keys"]

    @_method
    async def history(self, **filter: Unpack[Filter]) -> HistoryPage:
        """Returns a page of the history, the latest entry first (T5)."""
        return await self._read(HistoryPage, "history", **filter)

    async def _entries(self, filter: Filter) -> AsyncIterator[HistoryEntry]:
        page = await self._read(HistoryPage, "history", **filter)
        while True:
            for entry in page["entries"]:
                yield entry
            if "next" not in page:
                return
            page = cast(HistoryPage, (await self._channel.request("GET", page["next"])).body)

    @_method
    async def validate(self, commands: Sequence[str] | None = None, **asking: Unpack[Asking]) -> list[Item]:
        """Returns the items of commands, by default of all."""
        return await self._ask(list[Item], "/commands/validate", "items", commands=commands, **asking)

    @_method
    async def assume(self, assuming: Sequence[Sequence[Mapping[str, Any]]], commands: Sequence[str] | None = None,
                     **asking: Unpack[Assuming]) -> list[Object]:
        """Returns the answers to `validate` after each list of mutations; nothing is kept (M13)."""
        return await self._ask(
            list[Object], "/commands/validate", "assumed", commands=commands, assuming=assuming, **asking)

    @_method
    async def target(self, action: str, *, chain: str | None = None, **asking: Unpack[Tracing]) -> Object:
        """Returns the responder that would handle an action, and why."""
        return await self._ask(Object, "/targets/resolve", action=action, chain=chain, **asking)

    @_method
    async def resolve(self, key: Key | Sequence[Key], platform: str = "other", **asking: Unpack[Tracing]) -> Object:
        """Returns what a key means, and why."""
        return await self._ask(Object, "/keys/resolve", key=key, platform=platform, **asking)

    @_method
    async def search(self, query: str, *, limit: int | None = None, offset: int | None = None, disabled: bool = False,
                     window: str | None = None) -> SearchPage:
        """Returns a page of the commands that match, the best first."""
        return await self._ask(SearchPage, "/commands/search", query=query, limit=limit, offset=offset,
                               disabled=disabled or None, window=window)

    # Changes.

    @_method
    async def change(self, method: str, part: str, body: Any = None, **options: Unpack[Changing]) -> Object:
        """Sends a change of a part of the session, such as `locale`, once those before it are answered."""
        return await self._change(Object, method, f"{self.path()}/{part}", body, options)

    async def _change(self, shape: type[T], method: str, path: str, body: Any, options: Changing,
                      type: str = "application/json", **query: Any) -> T:
        sending, said = _split(options)
        query = _members(**query, **said)
        return cast(T, (await self._in_turn(method, path, body=body, type=type, query=query, **sending)).body)

    async def _in_turn(self, method: str, path: str, **options: Unpack[Requesting]) -> Answer:
        """Sends a request once earlier changes of the session are answered, with the seconds that are left."""
        timeout = options.get("timeout", self._channel.timeout)
        deadline = time.monotonic() + timeout
        async with self._channel.turns(self.id).take(timeout):
            options["timeout"] = deadline - time.monotonic()
            return await self._channel.request(method, path, **options)

    @_method
    async def perform(self, command: str, **options: Unpack[Performing]) -> Performed:
        """Performs a command.

        With `confirm`, a function, a command that needs a confirmation is performed if the function returns true.
        With `wait`, the answer waits for the deliveries that many seconds, at most 25. Raises `Problem` if nothing is
        performed.
        """
        return await self._message("/commands/perform", {"command": command}, options)

    @_method
    async def perform_plan(self, plan: str, **options: Unpack[Planned]) -> Performed:
        """Does exactly what the dry run showed that answered this plan, once; else raises `Problem` with a new plan."""
        return await self._message("/commands/perform", {"plan": plan}, options)

    @_method
    async def send(self, action: str, **options: Unpack[Acting]) -> Performed:
        """Sends an action, which need not be a command's."""
        return await self._message("/commands/perform", {"action": action}, options)

    @_method
    async def press(self, key: Key | Sequence[Key], /, *, platform: str = "other", final: bool = False,
                    **options: Unpack[Pressing]) -> Performed | None:
        """Presses a key, one or several strokes; None if it has no effect here, as `resolve` explains."""
        body = {"key": key, "platform": platform} | _members(final=final or None)
        try:
            return await self._message("/keys/press", body, options)
        except Problem as problem:
            if problem.type != "/problems/not-performed":
                raise
            return None

    async def _message(self, path: str, body: Object, options: Mapping[str, Any]) -> Performed:
        sending, said = _split(options)
        confirm, wait = sending.pop("confirm", None), sending.pop("wait", 0)
        sending.setdefault("key", secrets.token_hex(16))
        sending["headers"] = {**self._field, **sending.get("headers", {})}
        whole = {"session": self.id, **body, **_members(**said)}
        try:
            answer = await self._in_turn("POST", path, body=whole, **sending)
        except Problem as problem:
            if problem.confirmation is None or not confirm or said.get("confirmed"):
                raise
            # Later changes of the session do not wait for a person.
            agreed = confirm(problem.confirmation)
            if not (await agreed if inspect.isawaitable(agreed) else agreed):
                raise
            again = {**options, "key": sending["key"] + ".confirmed", "confirmed": True}
            return await self._message(path, body, again)
        is_open = any(one["state"] in _UNSETTLED for one in answer.body.get("deliveries", []))
        if wait and is_open and not said.get("dry_run"):
            # The same request with the same key is not performed again, and waits after its turn.
            answer = await self._channel.request("POST", path, body=whole, wait=wait, **sending)
        return cast(Performed, answer.body)

    @_method
    async def focus(self, responder: str | None, *, window: str | None = None, **options: Unpack[Changing]) -> Changed:
        """Moves focus; with `window`, in a window that need not be key."""
        body = {"responder": responder} | _members(window=window)
        return await self._change(Changed, "PUT", self.path("first-responder"), body, options)

    @_method
    async def patch(self, patch: Any, *, undo: str | None = None, coalesce: str | None = None,
                    window: str | None = None, **options: Unpack[Changing]) -> Changed:
        """Changes the state by a JSON Patch, which is a list, or by a JSON Merge Patch, in which None removes a member.

        With `undo` it is registered as an undo group of that name; with `coalesce` it joins the previous group with the
        same key (U6). `window` names the window whose undo manager registers it.
        """
        if patch is None:
            raise TypeError("A patch of the state is an object or a list, not None.")
        type = "application/json-patch+json" if isinstance(patch, list) else "application/merge-patch+json"
        return await self._change(
            Changed, "PATCH", self.path("state"), patch, options, type, undo=undo, coalesce=coalesce, window=window)

    @_method
    async def mutate(self, mutations: Sequence[Mapping[str, Any]], **options: Unpack[Changing]) -> Changed:
        """Applies mutations, all or none."""
        return await self._change(Changed, "POST", self.path("mutations"), {"mutations": mutations}, options)

    @_method
    async def undo(self, responder: str | None = None, **options: Unpack[Changing]) -> Changed:
        """Undoes the last group, of the session or of a responder's undo manager."""
        return await self._change(Changed, "POST", self.path("undo"), _members(responder=responder), options)

    @_method
    async def redo(self, responder: str | None = None, **options: Unpack[Changing]) -> Changed:
        """Redoes the last undone group."""
        return await self._change(Changed, "POST", self.path("redo"), _members(responder=responder), options)

    @_method
    async def close(self, **sending: Unpack[Sending]) -> None:
        """Closes the session for everybody."""
        await self._in_turn("DELETE", self.path(), **sending)

    # Streams and workers.

    def deliveries(self, *, by: str | None = None, commands: Sequence[str] | None = None) -> D:
        """Returns the deliveries of the session, and for a worker its name and its commands."""
        return self._pool_type(self._channel, self.path("deliveries"), by, commands)

    @_method
    async def follow(
            self, *, document: bool = False, menu: bool | str = False, kind: str | None = None,
            commands: Sequence[str] | None = None, keys: bool = False, platform: str = "other",
            tools: bool = False, deliveries: Sequence[str] | None = None, silence: float = 45,
            **asking: Unpack[Holding]) -> M:
        """Follows parts of the session; returns a mirror that has its contents.

        `menu` is True for the main menu, or the name of another one; `deliveries` are the states to include. A
        connection that is silent for `silence` seconds counts as broken.
        """
        mirror = self._mirror_type(self._channel, self.id, _members(
            document=document, menu="root" if menu is True else menu, kind=kind, commands=commands, keys=keys,
            platform=platform if keys else None, tools=tools, deliveries=deliveries, **asking), silence)
        await mirror.begin()
        return mirror


_UNSETTLED = ("open", "claimed", "cancelling")


def _split(options: Mapping[str, Any]) -> tuple[Object, Object]:
    """Separates the options of sending a request from its contents."""
    names = ("key", "timeout", "headers", "wait", "confirm")
    return ({name: options[name] for name in names if name in options},
            {name: value for name, value in options.items() if name not in names})


class Session(_Blocking, _Session[Mirror, Deliveries]):
    _mirror_type, _pool_type = Mirror, Deliveries

    def entries(self, **filter: Unpack[Filter]) -> Iterator[HistoryEntry]:
        """Iterates over the history, the latest entry first; it reads page after page."""
        return _each(self._entries(filter))


class AsyncSession(_Suspending, _Session[AsyncMirror, AsyncDeliveries]):
    _mirror_type, _pool_type = AsyncMirror, AsyncDeliveries

    def entries(self, **filter: Unpack[Filter]) -> AsyncIterator[HistoryEntry]:
        """Iterates over the history, the latest entry first; it reads page after page."""
        return self._entries(filter)


# MARK: Clients


class _Client(Generic[S, D]):
    """A menud server, and the token of its requests.

    A request fails after `timeout` seconds, over all `attempts`. `context` is for TLS; the default one verifies the
    server. Connections are kept until `close`, or the end of a `with` statement. A client can be used by several
    threads; an `AsyncClient` by the tasks of one event loop.
    """

    _platform: _Platform
    _session_type: type[S]
    _pool_type: type[D]

    def __init__(self, url: str, *, token: str | None = None, timeout: float = 30, attempts: int = 6,
                 context: ssl.SSLContext | None = None) -> None:
        self._channel = _Channel(_Connections(url, context, self._platform), token, timeout, attempts)

    def session(self, id: str) -> S:
        """Returns an open session; sends no request."""
        return self._session_type(self._channel, id)

    def deliveries(self, *, by: str | None = None, commands: Sequence[str] | None = None) -> D:
        """Returns the deliveries of all sessions, for a worker."""
        return self._pool_type(self._channel, "/deliveries", by, commands)

    def close(self) -> None:
        """Closes all connections. Mirrors and workers end."""
        self._channel.connections.close()

    @_method
    async def request(self, method: str, path: str, **options: Unpack[Requesting]) -> Answer:
        """Sends a request, and returns its answer.

        A change has an idempotency key, so that it can be sent again when its connection breaks, and is done once.
        Raises `Problem` if it is refused, and `Unreached` without an answer.
        """
        return await self._channel.request(method, path, **options)

    @_method
    async def open(self, id: str | None = None, /, **opening: Any) -> S:
        """Opens a session. If tokens are required, its requests have a token of its own from then on."""
        return await self._open(id, opening)

    async def _open(self, id: str | None, opening: Object) -> S:
        body = _members(id=id) | {_named(name): value for name, value in opening.items()}
        answer = await self._channel.request("POST", "/sessions", body=body)
        client = self
        if "token" in answer.body:
            client = copy.copy(self)
            client._channel = replace(self._channel, token=answer.body["token"])
        return client.session(answer.body["session"])

    @_method
    async def join(self, id: str, /, **opening: Any) -> S:
        """Opens a session, or joins it if it is open already."""
        return await self._open(id, {**opening, "join": True})

    @_method
    async def sessions(self) -> list[Object]:
        """Returns the open sessions."""
        return cast(list[Object], (await self._channel.request("GET", "/sessions")).body["sessions"])

    @_method
    async def commands(self) -> list[Object]:
        """Returns the declared commands."""
        return cast(list[Object], (await self._channel.request("GET", "/commands")).body["commands"])


class Client(_Blocking, _Client[Session, Pool]):
    _session_type, _pool_type = Session, Pool

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class AsyncClient(_Suspending, _Client[AsyncSession, AsyncPool]):
    _session_type, _pool_type = AsyncSession, AsyncPool

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        self.close()


# MARK: Keys and menus


def _begins(declared: Sequence[Key], strokes: Sequence[Key]) -> bool:
    return len(strokes) <= len(declared) and all(map(_is_pressed, declared, strokes))


def _is_pressed(declared: Key, stroke: Key) -> bool:
    """True if a pressed key is the declared one (K4)."""
    modifiers, held = set(declared.get("modifiers", [])), set(stroke.get("modifiers", []))
    is_same = _folded(declared["input"]) == _folded(stroke["input"])
    return is_same and modifiers <= held and held <= modifiers | {"alphaShift", "numericPad"}


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).lower())


def items_in(menu: Menu | None, titles: tuple[str, ...] = ()) -> Iterator[tuple[Item, tuple[str, ...]]]:
    """Iterates over all items of a menu, in order, each with the titles of the menus around it."""
    children: list[Any] = [*menu["children"]] if menu else []
    for child in children:
        if "children" in child:
            yield from items_in(child, (*titles, child["title"]) if child["title"] else titles)
        else:
            yield child, titles


def strokes(item: Item, platform: str = "other") -> list[Key]:
    """Returns the strokes of an item's key on a platform; none if it has no key there (M2)."""
    key = item.get("key")
    if _is_object(key) and "input" not in key:
        key = key.get(platform)
    return key if _is_list(key) else [cast(Key, key)] if key else []
