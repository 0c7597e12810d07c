"""Opening Moot over the store and the gateway that an environment asks for."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

from moot.configuration import Configuration, values_of
from moot.core.errors import BadSetting
from moot.core.ports import Model
from moot.gateway.data_files import read_data_files
from moot.gateway.embedded.progress import ShowProgress
from moot.gateway.gateway import Gateway, GatewayOptions
from moot.protocols import BroughtProtocols, FindProtocol, find_protocol
from moot.service.configuring import read_configuration
from moot.service.service import Service
from moot.service.tracing import Tracing
from moot.service.tracing.exporting import open_tracing
from moot.settings import BadValue, ProductSettings
from moot.store.store import Store


@asynccontextmanager
async def open_service(
    environ: Mapping[str, str],
    *,
    options: GatewayOptions | None = None,
    fetching: ShowProgress | None = None,
    models: Mapping[str, Model] | None = None,
    protocols: FindProtocol | None = None,
    reads_files: bool = True,
    configuration: Configuration | None = None,
    tracing: Tracing | None = None,
) -> AsyncGenerator[Service, None]:
    """Give a service over the store and the gateway that an environment asks for, and close both.

    `models` are ready-made models by member string, such as `{"scripted:a": scripted([…])}`. Where `reads_files` is
    False, no setting and no protocol may name a file or a module: whoever asks may be elsewhere. Without a
    `configuration` the moot.toml files are read that hold for this process; without `tracing`, traces go where the
    environment says.
    """
    configuration = configuration or read_configuration(environ)
    environ = configuration.environment(environ)
    settings = ProductSettings.read(environ)
    options = options or gateway_options(environ, configuration)
    tracing = tracing or open_tracing(environ)
    gateway = Gateway(environ, options, progress=fetching, own=models)
    try:
        store = Store.open(settings.database)
        gateway.pauses.share(store.pauses)
        if store.call_shares is not None:
            gateway.limits.share(store.call_shares)
        try:
            yield Service(
                store,
                gateway,
                clock=store.clock,
                environ=environ,
                local=options.local,
                embeddings=settings.values["embeddings"] or None,
                protocols=protocols or (BroughtProtocols() if reads_files else find_protocol),
                read_files=read_data_files if reads_files else None,
                defaults=configuration,
                tracing=tracing,
            )
        finally:
            await gateway.limits.leave()
            await store.close()
    finally:
        await gateway.close()
        await tracing.close()


def gateway_options(environ: Mapping[str, str], configuration: Configuration | None = None) -> GatewayOptions:
    """Return what the product's settings say of calls and of the embedded model, and the prices of moot.toml.

    Raises:
        BadSetting: for one that is not the number it should be.
        BadConfiguration: where a moot.toml cannot be used.
    """
    configuration = configuration or read_configuration(environ)
    settings = ProductSettings.read(configuration.environment(environ))
    try:
        return GatewayOptions(
            timeout=settings.number("timeout"),
            calls_at_once=settings.whole("calls_at_once"),
            cache=settings.cache,
            embedded_threads=settings.whole("threads"),
            embedded_slots=settings.whole("slots"),
            embedded_context=settings.whole("context"),
            prices=values_of(configuration.prices),
        )
    except BadValue as bad:
        raise BadSetting(name=bad.name, problem=bad.problem) from None
