import type { Config } from '#server/config.ts'
import { SpanExporter } from '#server/measure/SpanExporter.ts'
import { beginTracing, endTracing } from '#server/measure/tracing.ts'

type Needs = Pick<Config, 'otlpUrl' | 'otlpToken' | 'tracedPercent' | 'roles'>

/** Tells what this process does to a collector, where there is one. @returns what ends it */
export function traceTo(
  { otlpUrl, otlpToken, tracedPercent, roles }: Needs,
  { log, version }: { readonly log: { warn(details: object, message: string): void }; readonly version: string },
): () => Promise<void> {
  if (otlpUrl === undefined) return async () => undefined
  const about = { 'service.name': 'wayside', 'service.version': version, 'wayside.roles': roles.join(',') }
  const exporter = new SpanExporter({ url: otlpUrl, token: otlpToken, about, log })
  beginTracing(exporter, tracedPercent / 100)
  return async () => {
    endTracing()
    await exporter.stop()
  }
}
