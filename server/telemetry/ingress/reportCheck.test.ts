import fc from 'fast-check'
import { expect, test } from 'vitest'
import { report } from '#contract/mqtt/report.ts'
import type { DeviceId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import type { EventLayout } from './eventLayout.ts'
import { layoutByTypeId } from './eventLayout.ts'
import type { CheckContext } from './payloadJson.ts'
import { checkReports } from './reportCheck.ts'

const NOW = Date.UTC(2026, 10, 20, 10)
const door: CheckContext = { deviceId: 1 as DeviceId, topic: 'events/display', nowMs: NOW, oldestMs: NOW - 90 * DAY_MS }
const display = layoutByTypeId(4) as EventLayout
const iso = (ms: number) => new Date(ms).toISOString()

function check(payload: unknown) {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
  const { reports, rejections } = checkReports(door, display, 1, Buffer.from(text))
  return {
    stored: reports.map(({ atMs, claimedAtMs, numbers, texts, extra }) => ({
      atMs,
      claimedAtMs,
      values: Object.fromEntries(
        display.fields.flatMap(({ name }, index) => {
          const value = texts?.[index] ?? numbers[index]
          return value === undefined || Number.isNaN(value) ? [] : [[name, value]]
        }),
      ),
      extra,
    })),
    rejected: rejections.map(({ reason, detail }) => `${reason}: ${detail}`),
  }
}

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
/** Writes distinct fields that are as short as possible. */
const fields = (count: number) => Array.from({ length: count }, (_, n) => `"${n.toString(36)}":1`).join(',')

const valuesOf = (values: unknown) => check({ at: iso(NOW), values })

test('known fields, unknown fields and nulls of one report are told apart', () => {
  const { stored, rejected } = valuesOf({
    backlight_level: 80,
    uptime: 12,
    source: 'HDMI',
    gamma_value: null,
    new_one: 7,
    is_on: true,
  })
  expect(rejected).toEqual([])
  expect(stored).toEqual([
    {
      atMs: NOW,
      claimedAtMs: undefined,
      values: { backlight_level: 80, uptime: 12, source: 'HDMI' },
      extra: { new_one: 7, is_on: true },
    },
  ])
})

test.each([
  [
    'backlight_level is not a finite number. JSON has no NaN and no Infinity: send null, or leave the field out.',
    '{"backlight_level":1e999}',
  ],
  [
    'backlight_level is not a finite number. JSON has no NaN and no Infinity: send null, or leave the field out.',
    '{"backlight_level":NaN}',
  ],
  [
    'backlight_level is not a finite number. JSON has no NaN and no Infinity: send null, or leave the field out.',
    '{"backlight_level":-Infinity}',
  ],
  [
    'backlight_level is not a finite number. JSON has no NaN and no Infinity: send null, or leave the field out.',
    '{"backlight_level":-nan}',
  ],
  [
    'backlight_level is not a finite number. JSON has no NaN and no Infinity: send null, or leave the field out.',
    '{"backlight_level":INF}',
  ],
  [
    'backlight_level is not a finite number. JSON has no NaN and no Infinity: send null, or leave the field out.',
    '{"backlight_level":3.5e38}',
  ],
  ['backlight_level is the text "80", not a number. Send it without quotes.', '{"backlight_level":"80"}'],
  ['backlight_level is the text "0x50", not a number.', '{"backlight_level":"0x50"}'],
  ['backlight_level is the text "80 %", not a number.', '{"backlight_level":"80 %"}'],
  ['backlight_level is true, not a number.', '{"backlight_level":true}'],
  ['backlight_level is a list, not a number.', '{"backlight_level":[80]}'],
  ['backlight_level is an object, not a number.', '{"backlight_level":{"value":80}}'],
  ['uptime is not a whole number.', '{"uptime":1.5}'],
  ['uptime does not fit into 32 bits.', '{"uptime":2147483648}'],
  ['source is not a text.', '{"source":1}'],
  ['source is longer than 256 characters.', `{"source":"${'x'.repeat(257)}"}`],
  ['source holds characters that are no text.', '{"source":"a\\u0000b"}'],
  ['source holds characters that are no text.', '{"source":"\\ud800"}'],
  ['new_one is neither a number nor a text nor true or false.', '{"new_one":{"a":1}}'],
  [
    'new_one is not a finite number. JSON has no NaN and no Infinity: send null, or leave the field out.',
    '{"new_one":1e999}',
  ],
])('a report is rejected with "bad_value: %s"', (detail, values) => {
  expect(check(`{"at":"${iso(NOW)}","values":${values}}`)).toEqual({ stored: [], rejected: [`bad_value: ${detail}`] })
})

// These are how JavaScript, Python and `printf` of C write it.
test.each(['NaN', 'nan', '-inf'])(
  'a bad element of an array takes none of its neighbours with it, not even by a bare %s',
  (token) => {
    const good = (ms: number) => `{"at":"${iso(NOW - ms)}","values":{"contrast":${ms},"source":"NaN, \\"Infinity\\""}}`
    const { stored, rejected } = check(`[${good(3)},{"at":"${iso(NOW)}","values":{"contrast":${token}}},7,${good(1)}]`)
    expect(stored.map(({ values }) => values)).toEqual([
      { contrast: 3, source: 'NaN, "Infinity"' },
      { contrast: 1, source: 'NaN, "Infinity"' },
    ])
    expect(rejected).toEqual([
      'bad_value: contrast is not a finite number. JSON has no NaN and no Infinity: send null, or leave the field out.',
      'bad_shape: A report is an object with "at" and "values".',
    ])
  },
)

test.each([
  ['not_json', '{"at":'],
  ['not_json', ''],
  ['bad_shape', 'null'],
  ['bad_shape', '{"at":"2026-11-20T10:00:00.000Z","values":[1]}'],
  ['bad_shape', '{"at":"2026-11-20T10:00:00.000Z","values":{},"more":1}'],
  ['bad_time', '{"values":{}}'],
  ['bad_time', '{"at":1700000000000,"values":{}}'],
  ['bad_time', '{"at":"2026-02-30T10:00:00.000Z","values":{}}'],
  ['bad_time', '{"at":"2026-11-20T24:00:00.000Z","values":{}}'],
  ['bad_time', '{"at":"2026-11-20T10:00:00","values":{}}'],
  ['bad_time', '{"at":"2026-11-20T1:00:00.0000Z ","values":{}}'],
  ['bad_time', '{"at":"0001-01-01T00:00:00.000+01:00","values":{}}'],
])('"%s" is the reason for refusing %s', (reason, payload) => {
  const { stored, rejected } = check(payload)
  expect(stored).toEqual([])
  expect(rejected.map((text) => text.split(':')[0])).toEqual([reason])
})

test('bytes that are no UTF-8 are refused, and a replacement character that was sent is kept', () => {
  const bytes = Buffer.concat([
    Buffer.from(`{"at":"${iso(NOW)}","values":{"source":"`),
    Buffer.from([0xff]),
    Buffer.from('"}}'),
  ])
  expect(checkReports(door, display, 1, bytes).rejections.map(({ detail }) => detail)).toEqual([
    'The payload is not UTF-8: byte 54 is 0xFF, which would be "ÿ" in Latin-1. Send UTF-8.',
  ])
  expect(valuesOf({ source: '\ufffd' }).stored).toHaveLength(1)
})

const ONE = `{"at":"${iso(NOW)}","values":{"source":"Café"}}`

test.each([
  ['The payload is empty.', Buffer.alloc(0)],
  [
    'The payload begins with a byte order mark (BOM, the bytes EF BB BF). Send the JSON without it.',
    Buffer.from(`\ufeff${ONE}`),
  ],
  ['The payload is UTF-16. Send UTF-8.', Buffer.from(`\ufeff${ONE}`, 'utf16le')],
  ['The payload is UTF-16. Send UTF-8.', Buffer.from(ONE, 'utf16le')],
  ['The payload is UTF-16. Send UTF-8.', Buffer.from(ONE, 'utf16le').swap16()],
  ['The payload ends with a NUL byte, the end of a text in C. Send one byte less.', Buffer.from(`${ONE}\0`)],
  ['The payload is not UTF-8: byte 57 is 0xE9, which would be "é" in Latin-1. Send UTF-8.', Buffer.from(ONE, 'latin1')],
])('what is no JSON for a reason that programs often have is told by it: "%s"', (detail, bytes) => {
  const { reports, rejections } = checkReports(door, display, 1, bytes)
  expect(reports).toEqual([])
  expect(rejections.map(({ reason, detail: told }) => [reason, told])).toEqual([['not_json', detail]])
})

test.each(['+00:00', '-00:00', 'z', '.000000+00:00'])('a moment that ends in %s is the same as one in Z', (end) => {
  expect(check({ at: `2026-11-20T10:00:00${end}`, values: {} }).stored).toMatchObject([{ atMs: NOW }])
})

test('more than 64 KB, 200 fields or 1,000 reports are refused with what was sent', () => {
  expect(check('x'.repeat(65_537)).rejected).toEqual(['too_large: 65537 bytes, at most 65536 are read.'])
  const fieldsOf = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, index]))
  expect(valuesOf(fieldsOf(200)).stored).toHaveLength(1)
  expect(valuesOf(fieldsOf(201)).rejected).toEqual(['too_many_fields: 201 fields in one report, at most 200 are read.'])
  const tooMany = check(`[${Array.from({ length: 1001 }, () => '{}').join(',')}]`)
  expect(tooMany.rejected).toEqual(['too_many_reports: 1001 reports in one array, at most 1000 are read.'])
})

test.each([
  ['bad_shape: load is given more than once.', '{"at":"AT","values":{"load":1,"load":2}}'],
  ['bad_shape: contrast is given more than once.', '{"at":"AT","values":{"contrast":1,"contrast":2}}'],
  ['bad_shape: source is given more than once.', '{"at":"AT","values":{"source":"a","source":"b"}}'],
  ['bad_shape: load is given more than once.', '{"at":"AT","values":{"load":1,"l\\u006fad":1}}'],
  ['bad_shape: at is given more than once.', '{"at":"AT","values":{},"at":"AT"}'],
  ['bad_shape: values is given more than once.', '{"at":"AT","values":{"source":"x"},"values":{}}'],
  ['bad_shape: nested 22 levels deep, at most 16 are read.', `{"at":"AT","values":{"a":${deep(20)}}}`],
  ['too_many_fields: 6000 fields in one report, at most 200 are read.', `{"at":"AT","values":{${fields(6000)}}}`],
  ['too_many_fields: 5000 fields in one report, at most 200 are read.', `{${fields(5000)}}`],
])('a report is rejected alone with "%s", and its neighbours are kept', (sentence, text) => {
  const report = text.replaceAll('AT', iso(NOW))
  expect(check(report)).toEqual({ stored: [], rejected: [sentence] })
  const neighbour = `{"at":"${iso(NOW)}","values":{"contrast":1}}`
  expect(check(`[${neighbour}, ${report} ,${neighbour}]`)).toMatchObject({
    stored: [{ values: { contrast: 1 } }, { values: { contrast: 1 } }],
    rejected: [sentence],
  })
})

test('a report by itself is judged as the same report in an array, however its text is written', () => {
  const known = fc.constantFrom(...display.fields.map(({ name }) => `"${name}"`))
  const odd = fc.constantFrom('"load"', '"l\\u006fad"', '"source"', '"a:b"', '""', '"at"', '"values"', '"x y"')
  const keys = fc.oneof({ weight: 3, arbitrary: known }, odd)
  const numbers = fc.oneof(
    fc.constantFrom(
      '1',
      '-0',
      '-0.0',
      '0.1',
      '41.299999237060547',
      '1e3',
      '01',
      '1.',
      '.5',
      '-',
      '+1',
      '2147483648',
      '4e38',
    ),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.integer().map((value) => String(value / 100)),
  )
  const others = fc.constantFrom('"a"', '":"', '"\\":"', '"é"', '"\t"', 'null', '{"a":1}', '[":"]', 'NaN', 'true')
  const values = fc.oneof({ weight: 3, arbitrary: numbers }, others)
  const gap = fc.constantFrom('', '', '', '', '', '', ' ', '\n', '  ')
  const member = fc
    .tuple(keys, gap, gap, values)
    .map(([key, before, after, value]) => `${key}${before}:${after}${value}`)
  const text = fc
    .tuple(
      fc.constantFrom('"at"', '"\\u0061t"'),
      gap,
      fc.array(member, { maxLength: 5 }),
      fc.array(member, { maxLength: 1 }),
    )
    .map(([at, before, own, more]) => {
      const members = [`${at}${before}:"${iso(NOW)}"`, `"values"${before}:{${own.join(',')}}`, ...more]
      return `{${members.join(',')}}`
    })
  fc.assert(
    fc.property(text, (one) => {
      const [alone, listed] = [one, `[${one}]`].map((each) => {
        const { stored, rejected } = check(each)
        // What is no JSON is cited as it was sent.
        return { stored, rejected: rejected.map((sentence) => sentence.replace(/^not_json: .*/s, 'not_json')) }
      })
      expect(alone).toEqual(listed)
    }),
    { numRuns: 2_000 },
  )
})

test('what is kept of a rejected element is its own text, as it was sent', () => {
  const bad = '{"at": "later", "values":{"contrast":1e0}}'
  const { rejections } = checkReports(door, display, 1, Buffer.from(`[{"at":"${iso(NOW)}","values":{}},${bad}]`))
  expect(rejections.map(({ payload }) => payload.toString())).toEqual([bad])
})

test('the sentence of a rejection is short, whatever was sent', () => {
  const { rejections } = checkReports(door, display, 1, Buffer.from(`{"at":"${'1'.repeat(60_000)}Z","values":{}}`))
  expect(rejections.map(({ detail }) => detail.length < 400)).toEqual([true])
  const { rejected } = check(`{"at":"${iso(NOW)}","values":{"${'x'.repeat(60_000)}":1}}`)
  expect(rejected.map((sentence) => sentence.length < 400)).toEqual([true])
})

test('five minutes ahead are believed; a millisecond more is stored at receive time and marked', () => {
  const ahead = (ms: number) => check({ at: iso(NOW + ms), values: {} }).stored
  expect(ahead(300_000)).toMatchObject([{ atMs: NOW + 300_000, claimedAtMs: undefined }])
  expect(ahead(300_001)).toMatchObject([{ atMs: NOW, claimedAtMs: NOW + 300_001 }])
  expect(check({ at: '9999-12-31T23:59:59.999Z', values: {} }).stored).toMatchObject([{ atMs: NOW }])
})

test('what is from before anything that is kept is stored at receive time and marked', () => {
  for (const at of ['1970-01-01T00:03:12Z', '0001-01-01T00:00:00.000Z']) {
    const claimedAtMs = Date.parse(at)
    expect(check({ at, values: {} })).toMatchObject({ stored: [{ atMs: NOW, claimedAtMs }], rejected: [] })
  }
  expect(check({ at: iso(NOW - 90 * DAY_MS), values: {} }).stored).toMatchObject([{ claimedAtMs: undefined }])
})

test('times with fewer or more digits mean the millisecond they lie in', () => {
  const atOf = (at: string) => check({ at, values: {} }).stored[0]?.atMs
  expect(atOf('2026-11-20T09:00Z')).toBe(NOW - 3_600_000)
  expect(atOf('2026-11-20T09:00:01.5Z')).toBe(NOW - 3_598_500)
  expect(atOf('2026-11-20T09:00:01.123456Z')).toBe(NOW - 3_598_877)
})

test('a field named __proto__ is a field like any other', () => {
  const [stored] = check(`{"at":"${iso(NOW)}","values":{"__proto__":1,"constructor":2}}`).stored
  expect(Object.entries(stored?.extra ?? {})).toEqual([
    ['__proto__', 1],
    ['constructor', 2],
  ])
})

test('no payload whatsoever makes the check throw, and what the contract refuses is never stored', () => {
  const payload = fc.oneof(
    fc.json(),
    fc.string(),
    fc
      .record({ at: fc.date({ noInvalidDate: true }), values: fc.dictionary(fc.string(), fc.jsonValue()) })
      .map((value) => JSON.stringify(value)),
  )
  fc.assert(
    fc.property(payload, (text) => {
      const { stored, rejected } = check(text)
      expect(stored.length + rejected.length).toBeGreaterThanOrEqual(Array.isArray(safeJson(text)) ? 0 : 1)
      if (stored.length === 1 && !text.trimStart().startsWith('[')) {
        expect(report.safeParse(safeJson(text)).success).toBe(true)
      }
    }),
    { numRuns: 500 },
  )
})

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
