import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { METRICS, type Metric } from '#server/metrics/metricList.ts'
import { type DebianPrograms, findDebianPrograms } from '#server/testing/debianPrograms.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { METRICS_TOKEN, watchedServer } from '#server/testing/wholeServer/watchedServer.ts'
import { freePort } from '#testing/freePort.ts'

const DEPLOY = fileURLToPath(new URL('../../deploy', import.meta.url))
const RULES = join(DEPLOY, 'prometheus/wayside.rules.yml')
const [PROMETHEUS, PROMTOOL] = ['/usr/bin/prometheus', '/usr/bin/promtool'] as const
const programs = findDebianPrograms(['prometheus'], [PROMETHEUS, PROMTOOL])
const folder = mkdtempSync(join(tmpdir(), 'wayside-prometheus-'))
let running: ChildProcess | undefined
afterAll(async () => {
  if (running && running.exitCode === null) {
    running.kill('SIGTERM')
    await once(running, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
}

const filled = (expr: string) => expr.replaceAll('$__rate_interval', '5s').replaceAll('$customer', '.*')

/** This one asks PostgreSQL (server/db/logins/reportLogins.test.ts). */
const FLEET = 'wayside-fleet.json'
const dashboards = readdirSync(join(DEPLOY, 'grafana')).filter((file) => file !== FLEET)
const queries = dashboards.flatMap((file) => {
  const { panels } = JSON.parse(readFileSync(join(DEPLOY, 'grafana', file), 'utf8')) as { panels: readonly Panel[] }
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ from: `${file}: ${title}`, expr: filled(expr) })),
  )
})
const alerts = [...readFileSync(RULES, 'utf8').matchAll(/- alert: (\w+)\n\s+expr: '(.+)'\n/g)].map(
  ([, alert = '', expr = '']) => ({ from: alert, expr }),
)

const PARTS: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['_sum', '_count'],
}
const series = new Set([
  'up',
  ...Object.entries(METRICS as Readonly<Record<string, Metric>>).flatMap(([name, { type }]) =>
    (PARTS[type] ?? ['']).map((part) => `${name}${part}`),
  ),
])

/** Finds the words of a query that are series and neither functions nor labels. */
function seriesIn(expr: string): readonly string[] {
  const bare = expr.replaceAll(/\{[^}]*\}/g, '').replaceAll(/\b(?:by|on|group_left|without|ignoring) ?\([^)]*\)/g, '')
  return [...bare.matchAll(/\b[a-z_]+[a-z](?![\w(]| \()/g)]
    .map(([word]) => word)
    .filter((word) => word.includes('_') || word === 'up')
}

test('alert rules and dashboards name only series that there are, and every alert says what to do', () => {
  expect(alerts.length).toBeGreaterThan(20)
  expect(queries.length).toBeGreaterThan(60)
  expect(readFileSync(RULES, 'utf8').match(/- alert: /g)).toHaveLength(alerts.length)
  expect(readFileSync(RULES, 'utf8').match(/description: "/g)).toHaveLength(alerts.length)
  const unknown = [...alerts, ...queries].flatMap(({ from, expr }) => {
    const named = seriesIn(expr)
    return named.length === 0
      ? [`${from} names none`]
      : named.filter((name) => !series.has(name)).map((name) => `${from}: ${name}`)
  })
  expect(unknown).toEqual([])
})

/** The test is skipped without Prometheus, and says why. */
function here(skip: (note: string) => never): DebianPrograms {
  return typeof programs === 'string' ? skip(programs) : programs
}

test('the tools of Prometheus find nothing wrong with rules and their tests', ({ skip }) => {
  const tool = here(skip).pathOf(PROMTOOL)
  const promtool = (...given: string[]) =>
    execFileSync(tool, given, { cwd: join(DEPLOY, 'prometheus'), encoding: 'utf8' })
  expect(promtool('check', 'rules', 'wayside.rules.yml')).toContain(`SUCCESS: ${alerts.length} rules found`)
  expect(promtool('test', 'rules', 'wayside.rules.test.yml')).toContain('SUCCESS')
  expect(promtool('check', 'config', '--syntax-only', 'prometheus.yml')).toContain('SUCCESS')
})

/** A server that has just started has no values of these. */
const EMPTY_AT_FIRST = /wayside_(backup|audit_seal|certificate|open_alerts|device_open_alerts > 0)/

test('Prometheus reads a server, and every query of the dashboards and alerts answers', async ({ skip }) => {
  const { pathOf } = here(skip)
  const [prometheus, promtool] = [pathOf(PROMETHEUS), pathOf(PROMTOOL)]
  const watched = await watchedServer()
  const url = await startPrometheus(prometheus, new URL(watched.ownUrl).host)
  await watched.led()
  const { text } = await watched.read('/metrics')
  expect(execFileSync(promtool, ['check', 'metrics'], { input: text, encoding: 'utf8' })).toBe('')
  const ask = async (expr: string) => {
    const answer = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query: expr })}`).catch(() => undefined)
    if (!answer?.headers.get('content-type')?.includes('json')) return undefined
    return (await answer.json()) as { status: string; error?: string; data?: { result: readonly unknown[] } }
  }
  // Two scrapes make a rate, and the first list of what devices report is written after seconds.
  const settled =
    'rate(wayside_event_loop_idle_seconds_total[5s]) and on () wayside_device_last_report_timestamp_seconds'
  await eventually(
    () => ask(settled),
    (answer) => (answer?.data?.result.length ?? 0) > 0,
    60_000,
  )
  const wrong = [...queries, ...alerts].map(async ({ from, expr }) => {
    const answer = await ask(expr)
    if (answer?.status !== 'success') return `${from}: ${answer?.error}`
    const mayBeEmpty = EMPTY_AT_FIRST.test(expr) || alerts.some((alert) => alert.expr === expr)
    return answer.data?.result.length === 0 && !mayBeEmpty ? `${from} finds nothing: ${expr}` : undefined
  })
  expect((await Promise.all(wrong)).filter((fault) => fault !== undefined)).toEqual([])
})

async function startPrometheus(program: string, target: string): Promise<string> {
  const port = await freePort()
  const scrape = (job: string, path: string) => `
  - job_name: ${job}
    metrics_path: ${path}
    authorization: { credentials: ${METRICS_TOKEN} }
    static_configs: [{ targets: ['${target}'] }]`
  const config = `
global: { scrape_interval: 500ms, evaluation_interval: 1s }
rule_files: ['${RULES}']
scrape_configs:${scrape('wayside', '/metrics')}${scrape('wayside-devices', '/metrics/devices')}
`
  writeFileSync(join(folder, 'prometheus.yml'), config)
  running = spawn(
    program,
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  )
  return `http://127.0.0.1:${port}`
}
