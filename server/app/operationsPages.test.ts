import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { adviceFor } from '#domain/health/troubleAdvice.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const sourceOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const cellsOf = (page: string) => [...sourceOf(page).matchAll(/^\| (.+?) \| (.+) \|$/gm)].map(([, cell = '']) => cell)

/** Programs that talk to whoever started them have no log, and neither has the demo. */
const NO_LOG = /^server\/programs\/(admin|backup|restore)\.ts$|\/testing\/|^server\/demo\/|\.test\.ts$/
const LOG_CALL = /\b(?:log|deps\.log|#log)\??(?:\.(?:info|warn|error|fatal))?\(/g
const LITERAL = /(['`"])((?:(?!\1)[^\\]|\\.)*)\1/g

/** Returns what stands in brackets from here on, without quoted brackets. */
function argumentsAt(source: string, begin: number): string {
  let [depth, at, quote] = [1, begin, '']
  for (; at < source.length && depth > 0; at++) {
    const letter = source[at] ?? ''
    if (quote !== '') quote = letter === quote ? '' : quote
    else if ('\'`"'.includes(letter)) quote = letter
    else if ('([{'.includes(letter)) depth++
    else if (')]}'.includes(letter)) depth--
  }
  return source.slice(begin, at - 1)
}

const sentencesIn = (source: string) =>
  [...source.matchAll(LOG_CALL)]
    .map((call) => argumentsAt(source, call.index + call[0].length))
    .flatMap((given) => [...given.matchAll(LITERAL)].map(([, , text = '']) => text))
    .filter((text) => /\S \S/.test(text))

test('the page of the log tells of every line that the server says, and of none else', () => {
  const files = globSync('server/**/*.ts', { cwd: ROOT }).filter((file) => !NO_LOG.test(file))
  const said = new Set(files.flatMap((file) => sentencesIn(sourceOf(file))))
  expect(said.size).toBeGreaterThan(40)
  expect(
    cellsOf('docs/guide/run/logs.md')
      .filter((cell) => cell !== '`msg`')
      .toSorted(),
  ).toEqual([...said].toSorted())
})

const HEALTH = [
  'server/app/healthChecks.ts',
  'server/backup/backupState.ts',
  'server/backup/slot/unusedSlot.ts',
  'server/jobs/ClockWatch.ts',
  'server/telemetry/retention/keptDays.ts',
  'server/network/certificate.ts',
  'server/secrets/secretKeys.store.ts',
]
const SENTENCE = /^(The|There|No|Nothing|Reports|Days) \S+ \S+ \S+/
/** These sentences appear in the log only, or refuse files at the start. */
const NO_TROUBLE =
  /^The (log is no longer held|clock is right again|files of the certificate can|certificate was renewed|new certificate in)/

test('what /healthz says has an advice, each of its sentences', () => {
  const sentences = HEALTH.flatMap((file) =>
    [...sourceOf(file).matchAll(LITERAL)].map(([, , text = '']) => text),
  ).filter((text) => SENTENCE.test(text) && !NO_TROUBLE.test(text))
  expect(sentences.length).toBeGreaterThan(20)
  const told = cellsOf('docs/guide/run/operations.md').map((cell) => cell.replaceAll('…', ''))
  // The beginning of a sentence is the same each time.
  const missing = sentences.filter((sentence) => {
    const [begin = ''] = sentence.split('${')
    return !told.some((cell) => cell.startsWith(begin.trimEnd().slice(0, 40)))
  })
  expect(missing).toEqual([])
})

test('the page of the system advises what the page of documentation does', () => {
  const page = sourceOf('docs/guide/run/operations.md')
  const rows = [...page.slice(page.indexOf('## What /healthz says')).matchAll(/^\| (.+?) \| (.+) \|$/gm)].slice(1)
  const plain = (text: string) => text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '')
  expect(rows.length).toBeGreaterThan(20)
  const written = rows.map(([, says = '', advice = '']) => [plain(says), plain(advice)])
  expect(written.map(([says = '']) => [says, adviceFor(says.replaceAll('…', '12 x'))])).toEqual(written)
})
