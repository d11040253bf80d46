"""A test socket that waits patiently for its consumer."""

from typing import Any

from channels.testing import WebsocketCommunicator

from tests.support.patience import PATIENCE_S


class PatientSocket(WebsocketCommunicator):
    """A communicator with long timeouts: Channels cancels a consumer after one second."""

    async def connect(self, timeout: float = PATIENCE_S) -> tuple[bool, Any]:
        return await super().connect(timeout)

    async def receive_from(self, timeout: float = PATIENCE_S) -> str | bytes:
        return await super().receive_from(timeout)

    async def receive_output(self, timeout: float = PATIENCE_S) -> Any:
        return await super().receive_output(timeout)

    async def disconnect(self, code: int = 1000, timeout: float = PATIENCE_S) -> None:
        await super().disconnect(code, timeout)

    async def wait(self, timeout: float = PATIENCE_S) -> None:
        await super().wait(timeout)
