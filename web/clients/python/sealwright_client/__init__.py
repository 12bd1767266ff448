"""The typed client of Sealwright's interface."""

from . import schema, webhooks
from .client import Client
from .errors import ApiError
from .operations import VERSION
from .transport import Answer
from .upload import FileDescription

__all__ = ["Answer", "ApiError", "Client", "FileDescription", "VERSION", "schema", "webhooks"]
__version__ = VERSION
