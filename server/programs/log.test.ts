import { expect, test } from 'vitest'
import { passTime } from '#testing/passTime.ts'
import { createLog } from './log.ts'

interface Line {
  readonly msg: string
  readonly level: number
  readonly repeats?: number
  readonly [name: string]: unknown
}

/** @param collapsedWithinMs an hour by default, so that counts are logged at the end only */
function setup({ level = 'info', collapsedWithinMs = 3_600_000 } = {}) {
  const lines: Line[] = []
  let onLine: () => void = () => undefined
  const write = (line: string) => {
    lines.push(JSON.parse(line) as Line)
    onLine()
  }
  const { log, end } = createLog({ level: level as 'info', write, collapsedWithinMs })
  const nextLine = () =>
    new Promise<void>((resolve) => {
      onLine = resolve
    })
  return { log, end, lines, nextLine }
}

const said = (lines: readonly Line[]) => lines.map(({ msg, repeats }) => [msg, repeats])

test('what is said again is counted, and said once with its number and its newest detail', () => {
  const { log, end, lines } = setup()
  for (let n = 0; n < 1000; n++) log.warn({ n }, 'Again.')
  log.error({}, 'Once.')
  expect(said(lines)).toEqual([
    ['Again.', undefined],
    ['Once.', undefined],
  ])
  end()
  expect(said(lines)).toEqual([
    ['Again.', undefined],
    ['Once.', undefined],
    ['Again.', 999],
  ])
  expect(lines.at(-1)).toMatchObject({ n: 999, level: 40 })
})

test('as long as something goes on it is said in intervals, and afterwards at once again', async () => {
  const { log, end, lines, nextLine } = setup({ collapsedWithinMs: 20 })
  log.warn({}, 'Again.')
  log.warn({}, 'Again.')
  await nextLine()
  expect(said(lines)).toEqual([
    ['Again.', undefined],
    ['Again.', 1],
  ])
  await passTime(100, 'an interval without a line is over, and says nothing')
  log.warn({}, 'Again.')
  expect(said(lines).at(-1)).toEqual(['Again.', undefined])
  end()
})

test('the same sentence of another cause or level is another line', () => {
  const { log, lines } = setup()
  const fault = (code: string) => Object.assign(new Error('x'), { code })
  log.error({ error: fault('57P01') }, 'Failed.')
  log.error({ error: fault('57P01') }, 'Failed.')
  log.error({ error: fault('53100') }, 'Failed.')
  log.warn({ error: fault('53100') }, 'Failed.')
  expect(lines.map(({ error, level }) => [(error as { code: string }).code, level])).toEqual([
    ['57P01', 50],
    ['53100', 50],
    ['53100', 40],
  ])
})

test('however many sentences details make, lines stay few', () => {
  const { log, end, lines } = setup()
  for (let n = 0; n < 5000; n++) log.warn({}, `Sentence ${n}.`)
  end()
  expect(lines.length).toBeLessThan(60)
})

test('nothing is unshortened, and of an error neither what it quotes nor all of its stack is said', () => {
  const { log, lines } = setup()
  const error = Object.assign(new Error('m'.repeat(10_000)), { detail: 'Key (name)=(sesame) exists.', code: '23505' })
  log.warn({ error, topic: 't'.repeat(10_000), ids: Array.from({ length: 10_000 }, (_, n) => n) }, 's'.repeat(10_000))
  const text = JSON.stringify(lines)
  expect(text.length).toBeLessThan(5000)
  expect(text).not.toContain('sesame')
  expect(lines[0]).toMatchObject({ error: { code: '23505', name: 'Error' } })
})

test('the level decides what is said, and whoever asks for debugging sees every line', () => {
  const quiet = setup({ level: 'error' })
  quiet.log.warn({}, 'Unsaid.')
  expect(quiet.lines).toEqual([])
  const loud = setup({ level: 'debug' })
  for (let n = 0; n < 3; n++) loud.log.debug({ n }, 'request')
  expect(loud.lines).toHaveLength(3)
})
