import { SpanExporter } from '#server/metrics/SpanExporter.ts'
import { beginTracing, endTracing } from '#server/metrics/tracing.ts'
import { createOutbound } from '#server/outbound/outbound.ts'
import type { Config } from '#server/settings/config.ts'

type Deps = Pick<Config, 'otlpUrl' | 'otlpToken' | 'tracedPercent' | 'roles'>

/** Exports this process's traces to a collector, if one is set. @returns a function that stops it */
export function traceTo(
  { otlpUrl, otlpToken, tracedPercent, roles }: Deps,
  { log, version }: { readonly log: { warn(details: object, message: string): void }; readonly version: string },
): () => Promise<void> {
  if (otlpUrl === undefined) return async () => undefined
  const about = { 'service.name': 'wayside', 'service.version': version, 'wayside.roles': roles.join(',') }
  // The setting itself allows the collector, wherever it is.
  const call = createOutbound({ allowed: [new URL(otlpUrl).host] })
  const exporter = new SpanExporter({ url: otlpUrl, token: otlpToken, about, call, log })
  beginTracing(exporter, tracedPercent / 100)
  return async () => {
    endTracing()
    await exporter.stop()
  }
}
