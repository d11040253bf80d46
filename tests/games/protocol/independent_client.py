"""A playing client written from games/protocol/README.md and games/protocol.schema.json alone.

It imports nothing of the project. Each frame that it sends or receives is validated against the
schema; an invalid frame ends the program. It plays at random, takes every double, accepts every
resignation, doubles now and then, asks once why a move is refused, and with `--drops` loses that
many connections on purpose.

    python tests/games/protocol/independent_client.py http://127.0.0.1:8000 long --length 3 --seed 7

With a match id and a session key it plays (or watches) that match; with `--match -` it reads both
from a line of its standard input:

    python tests/games/protocol/independent_client.py http://127.0.0.1:8000 short \
        --match AbCdEf123456 --session KEY
"""

import argparse
import asyncio
import hashlib
import http.cookiejar
import json
import random
import re
import secrets
import sys
import time
import urllib.parse
import urllib.request
import uuid
from pathlib import Path
from typing import Any

import jsonschema
import websockets

SCHEMA = Path(__file__).resolve().parents[3] / "games" / "protocol.schema.json"
FRAMES_PER_SECOND = 4.8  # the site closes connections that send more than five
BURST = 15  # frames that may be sent at once
PING_AFTER_S = 5.0
Frame = dict[str, Any]


class ProtocolViolation(Exception):
    """A frame or page that the documents of the protocol do not allow."""


class Contract:
    """The schema: validators by sender and kind of frame.

    Each kind has its own validator, since trying all kinds for every frame takes long.
    """

    def __init__(self, path: Path = SCHEMA) -> None:
        schema = json.loads(path.read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        self._parts = schema["$defs"]
        self.client, self.server = self._kinds("client"), self._kinds("server")

    def _kinds(self, sender: str) -> dict[str, jsonschema.Draft202012Validator]:
        names = [kind["$ref"].rpartition("/")[2] for kind in self._parts[sender]["oneOf"]]
        return {
            self._parts[name]["properties"]["t"]["const"]: jsonschema.Draft202012Validator(
                {"$ref": f"#/$defs/{name}", "$defs": self._parts}
            )
            for name in names
        }

    def allows(self, kinds: dict[str, jsonschema.Draft202012Validator], frame: Any) -> bool:
        """Return whether the frame is one of these kinds and valid."""
        kind = frame.get("t") if isinstance(frame, dict) else None
        return isinstance(kind, str) and kind in kinds and kinds[kind].is_valid(frame)


class Site:
    """The pages that a player opens before the socket, with a cookie jar as a browser has."""

    def __init__(self, address: str, session: str = "") -> None:
        self.address = address.rstrip("/")
        self.session = session  # session key of a signed-in member
        self.cookies = http.cookiejar.CookieJar()
        processor = urllib.request.HTTPCookieProcessor(self.cookies)
        self._opener = urllib.request.build_opener(processor)

    def start_training(self, choices: dict[str, str]) -> str:
        """Fill in the training form; return the id of the new match."""
        page = self._opener.open(f"{self.address}/training/").read().decode()
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        if token is None:
            raise ProtocolViolation("the training page has no form token")
        form = urllib.parse.urlencode({**choices, "csrfmiddlewaretoken": token[1]}).encode()
        request = urllib.request.Request(
            f"{self.address}/training/", form, {"Referer": f"{self.address}/training/"}
        )
        answer = self._opener.open(request)
        found = re.fullmatch(r"/match/(\w{12})/", urllib.parse.urlsplit(answer.url).path)
        if found is None:
            raise ProtocolViolation(f"the form led to {answer.url}")
        return found[1]

    def socket(self, match_id: str) -> Any:
        """Open a socket to the match's table."""
        cookie = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.cookies)
        if self.session:
            cookie = f"sessionid={self.session}"
        return websockets.connect(
            f"{self.address.replace('http', 'ws', 1)}/ws/match/{match_id}/",
            origin=self.address,
            additional_headers={"Cookie": cookie},
            max_size=2**20,
        )


class IndependentClient:
    """One player at one table, over any number of connections."""

    def __init__(
        self,
        site: Site,
        match_id: str,
        seed: int,
        drops: int = 0,
        pace: float = FRAMES_PER_SECOND,
        ping_after_s: float = PING_AFTER_S,
        contract: Contract | None = None,
    ) -> None:
        self.site = site
        self.pace, self.ping_after_s = pace, ping_after_s
        self.match_id = match_id
        self.contract = contract or Contract()
        self.rng = random.Random(seed)
        self.drops = drops  # number of connections still to be lost on purpose
        self.entropy = secrets.token_bytes(16)
        self.seq = -1
        self.state: Frame = {}  # view, plays, may of the newest frame
        self.side = ""
        self.token: str | None = None  # token of the seat, for reconnecting
        self.lag: int | None = None  # a number to send back at once
        self.holds = True  # whether to take the seat or only watch
        self.is_behind = self.is_asking = False  # misses events; has sent a sync
        self.syncs = 0  # number sent on this connection that may still be unanswered
        self.pending: Frame | None = None  # a command that has no ack yet
        self.is_too_early = False  # an outage: the pending command must wait
        self.awaited_seq = -1  # seq of the last ack, whose event may not have arrived
        self.has_asked = False
        self.added: Frame = {}  # by side: whether hash and entropy have been sent
        self.kinds: set[str] = set()  # kinds of frames received
        self.actions: list[Frame] = []
        self.frames = {"sent": 0, "received": 0}
        self._budget, self._counted = float(BURST), time.monotonic()

    async def play(self) -> Frame:
        """Play the match to its end; return the outcome."""
        while not self._is_over():
            async with self.site.socket(self.match_id) as socket:
                await self._sit_down(socket)
                await self._play_on(socket)
        return self.state["view"]["outcome"]

    async def _sit_down(self, socket: Any) -> None:
        join = {"t": "join", "v": 1, "since": self.seq, "hold": self.holds, "token": self.token}
        await self._send(socket, join)
        self.is_behind = self.is_asking = self.is_too_early = False
        self.syncs = 0
        self._handle(await self._receive(socket))
        if self.pending is not None:  # the ack was lost: repeat the command with its id
            await self._send(socket, self.pending)

    async def _play_on(self, socket: Any) -> None:
        while not self._is_over():
            if self.lag is not None:
                await self._send(socket, {"t": "lag", "n": self.lag})
                self.lag = None
            if self.is_too_early and self.pending is not None:
                self.is_too_early = False
                await asyncio.sleep(1)
                await self._send(socket, self.pending)
            if self.is_behind and not self.is_asking:
                self.is_asking = True
                self.syncs += 1
                await self._send(socket, {"t": "sync", "since": self.seq})
            elif not self.is_behind and self.pending is None and self.seq >= self.awaited_seq:
                await self._act(socket)
            if self.drops and self.rng.random() < 0.1:
                self.drops -= 1
                return
            try:
                async with asyncio.timeout(self.ping_after_s):
                    frame = await self._receive(socket)
            except TimeoutError:
                await self._send(socket, {"t": "ping", "seq": self.seq})
            else:
                self._handle(frame)

    def _is_over(self) -> bool:
        """Return whether the secret of the dice, which is shown after the match only, has come."""
        return bool(self.state) and self.state["view"]["secret"] is not None

    # --- frames received ------------------------------------------------------------------------

    def _handle(self, frame: Frame) -> None:
        self.kinds.add(frame["t"])
        getattr(self, f"_handle_{frame['t']}")(frame)

    def _handle_state(self, frame: Frame) -> None:
        self.side = frame["you"]["side"] or ""
        self.added = frame["seating"] or {}
        self.token = frame["you"]["token"] or self.token
        self.actions += frame["actions"]
        self.is_behind = self.is_asking = False
        if frame["seq"] >= self.seq:
            self._take(frame)

    def _handle_event(self, frame: Frame) -> None:
        if frame["seq"] > self.seq + 1:
            self.is_behind = True
        elif frame["seq"] == self.seq + 1:
            self.actions.append(frame["action"])
            if frame["action"]["kind"] in ("entropy_hash", "entropy") and self.added:
                what = frame["action"]["kind"].removeprefix("entropy_")
                self.added[frame["action"]["side"]][what] = True
            self._take(frame)

    def _take(self, frame: Frame) -> None:
        self.seq = frame["seq"]
        self.state = {name: frame[name] for name in ("view", "plays", "may")}

    def _handle_ack(self, frame: Frame) -> None:
        if self.pending is None or frame["id"] != self.pending["id"]:
            raise ProtocolViolation("an ack without a pending command")
        self.awaited_seq, self.pending = frame["seq"], None

    def _handle_current(self, frame: Frame) -> None:
        if frame["seq"] != self.seq:
            raise ProtocolViolation("something is missing after all")
        self.is_behind = self.is_asking = False
        self.syncs -= 1

    def _handle_error(self, frame: Frame) -> None:
        if frame["code"] == "too_fast" and self.pending and frame["id"] == self.pending["id"]:
            self.is_too_early = True
            return
        if frame["code"] == "too_fast" and self.syncs:
            # A state that the server sent unasked may arrive before this refusal. While events are
            # still missing, the sync is sent again after the next pong.
            self.syncs -= 1
            return
        if frame["code"] not in ("stale", "finished") or self.pending is None:
            raise ProtocolViolation(f"refused: {frame} after {self.pending}")
        self.pending, self.is_behind = None, True  # the state has changed: sync, then decide

    def _handle_why(self, frame: Frame) -> None:
        if not frame["reason"]:
            raise ProtocolViolation("no reason given")

    def _handle_pong(self, frame: Frame) -> None:
        if frame["seq"] < self.seq:
            raise ProtocolViolation("a pong with an older seq than was sent")
        self.is_behind = self.is_behind or frame["seq"] > self.seq
        self.is_asking = False  # a sync that was refused is sent again

    def _handle_lag(self, frame: Frame) -> None:
        self.lag = frame["n"]

    def _handle_presence(self, frame: Frame) -> None:
        """Ignore the frame: this client does not use presence."""

    _handle_watchers = _handle_rematch = _handle_presence

    def _handle_held(self, frame: Frame) -> None:
        raise ProtocolViolation("the seat is held by another connection")

    # --- commands -------------------------------------------------------------------------------

    async def _act(self, socket: Any) -> None:
        """Send the next command, if there is one; before the first play also `why` and `ping`."""
        if self.state["may"] is None:  # another event follows immediately
            return
        if self.state["may"]["play"] and not self.has_asked:
            self.has_asked = True
            await self._send(socket, {"t": "why", "d": "", "from": 1, "to": None})
            await self._send(socket, {"t": "ping", "seq": self.seq})
        command = self._choose()
        if command is not None:
            self.pending = {**command, "id": str(uuid.uuid4()), "seq": self.seq}
            await self._send(socket, self.pending)

    def _choose(self) -> Frame | None:
        view, may = self.state["view"], self.state["may"]
        if view["phase"] == "seating":
            return self._choose_entropy()
        if may["play"]:
            return {"t": "play", "d": self._random_play()}
        if may["double"] and self.rng.random() < 0.1:
            return {"t": "double"}
        for name in ("take", "accept", "next", "roll", "resume"):
            if may[name]:
                return {"t": name}
        return None

    def _choose_entropy(self) -> Frame | None:
        """Return the command with the hash, or with the entropy once all people's hashes are in."""
        mine = self.added[self.side]
        if not mine["hash"]:
            return {"t": "entropy_hash", "hash": hashlib.sha256(self.entropy).hexdigest()}
        if not mine["entropy"] and all(added["hash"] for added in self.added.values() if added):
            return {"t": "entropy", "entropy": self.entropy.hex()}
        return None

    def _random_play(self) -> str:
        """Return the notation of a random path through the graph of legal plays."""
        plays, node, moves = self.state["plays"], 0, []
        while node not in plays["finals"]:
            source, target, _die, is_hit, node = self.rng.choice(plays["edges"][node])
            moves.append(f"{point_name(source)}/{point_name(target)}{'*' * is_hit}")
        return " ".join(moves)

    # --- sending and receiving ------------------------------------------------------------------

    async def _send(self, socket: Any, frame: Frame) -> None:
        if not self.contract.allows(self.contract.client, frame):
            raise ProtocolViolation(f"my own frame is not in the schema: {frame}")
        now = time.monotonic()
        self._budget = min(BURST, self._budget + (now - self._counted) * self.pace)
        self._counted = now
        self._budget -= 1
        if self._budget < 0:
            await asyncio.sleep(-self._budget / self.pace)
        self.frames["sent"] += 1
        await socket.send(json.dumps(frame))

    async def _receive(self, socket: Any) -> Frame:
        frame = json.loads(await socket.recv())
        if not self.contract.allows(self.contract.server, frame):
            raise ProtocolViolation(f"not in the schema: {frame}")
        self.frames["received"] += 1
        return frame


def point_name(number: int) -> str:
    return {25: "bar", 0: "off"}.get(number, str(number))


async def play_match(
    address: str, choices: dict[str, str], seed: int = 1, drops: int = 0
) -> IndependentClient:
    """Start a training match with these choices of the form and play it to its end."""
    site = Site(address)
    match_id = await asyncio.to_thread(site.start_training, choices)
    client = IndependentClient(site, match_id, seed, drops)
    await client.play()
    return client


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address")
    parser.add_argument("variant", choices=["short", "long"])
    parser.add_argument("--length", default="1")
    parser.add_argument("--level", default="casual")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--drops", type=int, default=0)
    parser.add_argument("--match")
    parser.add_argument("--session", default="")
    options = parser.parse_args()
    if options.match == "-":
        options.match, options.session = sys.stdin.readline().split()
    if options.match:
        site = Site(options.address, options.session)
        client = IndependentClient(site, options.match, options.seed, options.drops)
        asyncio.run(client.play())
    else:
        choices = {"variant": options.variant, "length": options.length, "level": options.level}
        client = asyncio.run(play_match(options.address, choices, options.seed, options.drops))
    view = client.state["view"]
    result = {"match": client.match_id, "score": view["score"], "outcome": view["outcome"]}
    result |= {"side": client.side, "kinds": sorted(client.kinds)}
    sys.stdout.write(json.dumps({**result, **client.frames}) + "\n")


if __name__ == "__main__":
    main()
