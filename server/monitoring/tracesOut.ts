import { SpanExporter } from '#server/metrics/SpanExporter.ts'
import { beginTracing, endTracing } from '#server/metrics/tracing.ts'
import { createOutbound } from '#server/outbound/outbound.ts'
import type { Config } from '#server/settings/config.ts'

type Deps = Pick<Config, 'otlpUrl' | 'otlpToken' | 'tracedPercent' | 'roles'>

/** Tells what this process does to a collector, where there is one. @returns what ends it */
export function traceTo(
  { otlpUrl, otlpToken, tracedPercent, roles }: Deps,
  { log, version }: { readonly log: { warn(details: object, message: string): void }; readonly version: string },
): () => Promise<void> {
  if (otlpUrl === undefined) return async () => undefined
  const about = { 'service.name': 'wayside', 'service.version': version, 'wayside.roles': roles.join(',') }
  // The setting names the collector, wherever that is.
  const call = createOutbound({ allowed: [new URL(otlpUrl).host] })
  const exporter = new SpanExporter({ url: otlpUrl, token: otlpToken, about, call, log })
  beginTracing(exporter, tracedPercent / 100)
  return async () => {
    endTracing()
    await exporter.stop()
  }
}
