import type { Histogram } from './Histogram.ts'
import { METRICS, type Metric, type MetricName } from './metricList.ts'

export type Labels = Readonly<Record<string, string>>

/** Values of one moment, which are written in the text format of Prometheus. */
export class Exposition {
  readonly #samples = new Map<MetricName, string[]>()

  /** An unknown value is left out, because zero would be a value. */
  set(name: MetricName, value: number | undefined, labels: Labels = {}): void {
    if (value === undefined) return
    this.#add(name, `${name}${written(labels)} ${value}`)
  }

  histogram(name: MetricName, histogram: Histogram, labels: Labels = {}): void {
    const counts = histogram.cumulative()
    histogram.bounds.forEach((bound, index) => {
      this.#add(name, `${name}_bucket${written({ ...labels, le: String(bound) })} ${counts[index]}`)
    })
    const { count, sum } = histogram
    this.#add(name, `${name}_bucket${written({ ...labels, le: '+Inf' })} ${count}`)
    this.summary(name, { sum, count }, labels)
  }

  summary(name: MetricName, { sum, count }: { readonly sum: number; readonly count: number }, labels: Labels = {}) {
    this.#add(name, `${name}_sum${written(labels)} ${sum}`)
    this.#add(name, `${name}_count${written(labels)} ${count}`)
  }

  text(): string {
    const told = (Object.keys(METRICS) as MetricName[]).filter((name) => this.#samples.has(name))
    return told.map((name) => `${heading(name)}${this.samples(name)}`).join('')
  }

  samples(name: MetricName): string {
    return (this.#samples.get(name) ?? []).map((line) => `${line}\n`).join('')
  }

  #add(name: MetricName, sample: string): void {
    const samples = this.#samples.get(name)
    if (samples) samples.push(sample)
    else this.#samples.set(name, [sample])
  }
}

export function heading(name: MetricName): string {
  const { help, type }: Metric = METRICS[name]
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
}

function written(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
