import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { shortestReal } from '#domain/units/numbers.ts'
import type { DayColumns } from '#server/telemetry/closed/dayColumns.ts'
import { findDebianPrograms } from '#server/testing/debianPrograms.ts'
import { freePort } from '#testing/freePort.ts'

const PROGRAM = '/usr/bin/victoria-metrics'
const STARTS_WITHIN_MS = 20_000
const LOADS_WITHIN_MS = 60_000
const LOOKS_EVERY_MS = 1_000
const QUIET_LOOKS = 4

/** The readings of one component, which the database for time series knows by this name. */
export interface NamedDay {
  readonly component: string
  readonly columns: DayColumns
}

interface Given {
  readonly folder: string
  readonly hold: (child: ChildProcess) => void
}

/**
 * Loads the numbers of some days into a database for time series, which then merges what it has into as few files as it
 * can.
 *
 * @returns its bytes a number, without and with its index; or why it is not here
 */
export async function bytesInVictoriaMetrics(
  days: Iterable<NamedDay>,
  { folder, hold }: Given,
): Promise<{ readonly data: number; readonly all: number } | string> {
  const programs = findDebianPrograms(['victoria-metrics'], [PROGRAM])
  if (typeof programs === 'string') return programs
  const url = `127.0.0.1:${await freePort()}`
  const given = ['-storageDataPath', folder, '-httpListenAddr', url, '-retentionPeriod', '10y', '-loggerLevel', 'ERROR']
  const child = spawn(programs.pathOf(PROGRAM), given, { env: programs.environment, stdio: 'ignore' })
  hold(child)
  await untilItAnswers(url)
  let numbers = 0
  for (const day of days) {
    const series = seriesOf(day)
    numbers += series.reduce((sum, { values }) => sum + values.length, 0)
    await ask(url, 'api/v1/import', series.map((one) => JSON.stringify(one)).join('\n'))
  }
  await untilWritten(url, numbers)
  await ask(url, 'internal/force_merge')
  const { data, index } = await untilWritten(url, numbers)
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  return { data: data / numbers, all: (data + index) / numbers }
}

async function untilItAnswers(url: string): Promise<void> {
  for (const endsAt = performance.now() + STARTS_WITHIN_MS; performance.now() < endsAt; await sleep(100)) {
    if (
      await fetch(`http://${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
  }
  throw new Error('VictoriaMetrics does not answer.')
}

/** It takes what it was given in the background, and merges there too. @returns its bytes, when they stay the same */
async function untilWritten(url: string, numbers: number): Promise<{ data: number; index: number }> {
  let [before, quiet] = [0, 0]
  for (const endsAt = performance.now() + LOADS_WITHIN_MS; performance.now() < endsAt; await sleep(LOOKS_EVERY_MS)) {
    await ask(url, 'internal/force_flush')
    const told = await (await fetch(`http://${url}/metrics`)).text()
    const sumOf = (name: string) =>
      told.matchAll(new RegExp(`^vm_${name}"\\} (\\d+)$`, 'gm')).reduce((sum, [, count]) => sum + Number(count), 0)
    const [rows, waiting] = [sumOf('rows\\{type="storage/\\w+'), sumOf('pending_rows\\{type="storage')]
    const data = sumOf('data_size_bytes\\{type="storage/\\w+')
    quiet = rows >= numbers && waiting === 0 && data === before ? quiet + 1 : 0
    before = data
    if (quiet === QUIET_LOOKS) return { data, index: sumOf('data_size_bytes\\{type="indexdb') }
  }
  throw new Error(`VictoriaMetrics does not have ${numbers} numbers.`)
}

async function ask(url: string, path: string, body?: string): Promise<void> {
  const answer = await fetch(`http://${url}/${path}`, body === undefined ? {} : { method: 'POST', body })
  if (!answer.ok) throw new Error(`VictoriaMetrics answers ${path} with ${answer.status}.`)
}

/**
 * Numbers in the form in which its importer takes them. It knows no texts. Series of one name lie beside each other, and
 * have their times in common where these are the same.
 */
function seriesOf({ component, columns: { at, fields } }: NamedDay) {
  return Array.from(fields, ([name, cells]) => {
    const [values, timestamps]: [number[], number[]] = [[], []]
    for (let row = 0; row < cells.length; row++) {
      const value = cells[row]
      if (typeof value !== 'number' || !Number.isFinite(value)) continue
      values.push(shortestReal(value))
      timestamps.push((at[row] as number) / 1000)
    }
    return { metric: { __name__: component, field: name }, values, timestamps }
  }).filter(({ values }) => values.length > 0)
}
