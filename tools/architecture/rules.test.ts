import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readProject } from './project.ts'
import { ARCHITECTURE_RULES } from './rules.ts'
import { add, type Files, judge, manifest, newFolder, type Planted, used } from './testing/plantedHouse.ts'
import { PLANTED_TEXTS } from './testing/plantedTexts.ts'

const LOCKS: Files = {
  'server/db/advisoryLocks.ts': 'const LOCKS = {\n  people: 7_721,\n}\nLOCKS\n',
}

const LONG_BY_ITS_PARTS = [
  'function long() {',
  ...['one', 'other'].flatMap((name) => [`  const ${name} = () => {`, ...Array(40).fill('    Math.abs(1)'), '  }']),
  '  one(other)',
  '}',
  'long()',
]

const PLANTED: readonly Planted[] = [
  ['a module that cannot be parsed', add('domain/step.ts', 'const = 1'), ['everything-seen domain/step.ts:2']],
  [
    'an import that the parser does not see',
    add('device/agent/blind.ts', '/*', `import { x } from './x.ts'`, '*/'),
    ['everything-seen device/agent/blind.ts:1'],
  ],
  [
    'a chart among what the first page needs, not one that comes later',
    {
      'console/app/main.ts': `import { first } from './first.ts'\nfirst()\nvoid import('./late.ts')\n`,
      'console/app/first.ts': `import uPlot from 'uplot'\nimport type { Select } from '@mantine/core'\nexport const first = (): Select => new uPlot()\n`,
      'console/app/late.ts': `import { Select } from '@mantine/core'\nSelect()\n`,
      ...manifest({ devDependencies: { vitest: '1', react: '1', typescript: '1', uplot: '1', '@mantine/core': '1' } }),
      'console/app/whole.ts': `import * as all from './late.ts'\nall\n`,
    },
    ['light-start console/app/first.ts:1'],
  ],
  [
    'the letters of all languages among what a server starts with',
    {
      ...add('server/app/server.ts', `import anyAscii from 'any-ascii'`, 'anyAscii'),
      ...manifest({ dependencies: { zod: '1', pg: '1', kysely: '1', 'any-ascii': '1' } }),
    },
    ['light-start server/app/server.ts:4'],
  ],
  [
    'a clock module in domain',
    add('domain/step.test.ts', `import 'node:timers'`),
    ['domain-alone domain/step.test.ts:4'],
  ],
  [
    'a name in a table that is no link, beside one that is, one without a page, and a number',
    {
      'console/app/tables.tsx': [
        'const COLUMNS = [',
        `  { id: 'name', isStrong: true, cell: () => 'Nordlys' },`,
        `  { id: 'linked', isStrong: true, to: () => '/customers' },`,
        `  { id: 'drawn', isStrong: true, cell: () => <DeviceLink /> },`,
        `  { id: 'day', isStrong: true, hasNoPage: true },`,
        `  { id: 'count', isStrong: true, isRight: true },`,
        ']',
        'COLUMNS',
        '',
      ].join('\n'),
    },
    ['names-are-links console/app/tables.tsx:2'],
  ],
  ['a package in domain', add('domain/step.ts', `import 'zod'`), ['domain-alone domain/step.ts:2']],
  [
    'contract in domain',
    add('domain/step.ts', `import type {} from '#contract/http/alerting/alerts.ts'`),
    ['domain-alone domain/step.ts:2', 'no-cycles contract/http/alerting/alerts.ts:2'],
  ],
  [
    'a server module in contract',
    add('contract/http/alerting/alerts.ts', `import '#server/settings/config.ts'`),
    ['contract-alone contract/http/alerting/alerts.ts:4'],
  ],
  [
    'a package in contract',
    add('contract/http/alerting/alerts.ts', `import 'pg'`),
    ['contract-alone contract/http/alerting/alerts.ts:4', 'database-behind-stores contract/http/alerting/alerts.ts:4'],
  ],
  [
    'the server in the console',
    add('console/main.tsx', `import type { readConfig } from '../server/settings/config.ts'`),
    ['programs-apart console/main.tsx:5'],
  ],
  [
    'the server in the agent by import()',
    add('device/agent/main.ts', `await import('#server/settings/config.ts')`),
    ['programs-apart device/agent/main.ts:2'],
  ],
  [
    'the server in the agent as a type',
    add('device/agent/main.ts', `let x: import('#server/settings/config.ts').readConfig`),
    ['programs-apart device/agent/main.ts:2'],
  ],
  [
    'a tool in the product',
    { ...add('server/app/server.ts', `import '../../tools/x.ts'`), 'tools/x.ts': '' },
    ['product-without-tools server/app/server.ts:4'],
  ],
  [
    'a migration that says not what it is',
    { 'server/db/migrations/0021_place.sql': 'alter table device add place text;\n' },
    ['migrations-expand-or-contract server/db/migrations/0021_place.sql:1'],
  ],
  [
    'two statements in one query that makes tables',
    add(
      'server/features/alerting/alerts/alerts.store.ts',
      `alertRows('create table a (id int); create table b (id int)' as never)`,
    ),
    ['one-ddl-a-query server/features/alerting/alerts/alerts.store.ts:4'],
  ],
  [
    'the server in what tests of several programs share',
    { 'testing/x.ts': `import '#server/settings/config.ts'\n` },
    ['programs-apart testing/x.ts:1'],
  ],
  [
    'what tests of several programs share in the product',
    { ...add('server/app/server.ts', `import '#testing/x.ts'`), 'testing/x.ts': '' },
    ['test-support-in-tests server/app/server.ts:4'],
  ],
  [
    'test support in the product',
    { ...add('server/app/server.ts', `import '../testing/x.ts'`), 'server/testing/x.ts': '' },
    ['test-support-in-tests server/app/server.ts:4'],
  ],
  [
    'one feature in another',
    add(
      'server/features/devices/details/devices.service.ts',
      `import '#server/features/alerting/alerts/alerts.routes.ts'`,
    ),
    ['features-apart server/features/devices/details/devices.service.ts:1'],
  ],
  [
    'a feature that nobody joins',
    {
      'server/features/devices/maps/maps.ts': 'export const mapsFeature = () => ({ routes: [] })\n',
      ...add('server/app/server.ts', `import { mapsFeature } from '../features/devices/maps/maps.ts'`, 'mapsFeature()'),
    },
    ['features-joined server/features/devices/maps/maps.ts:1'],
  ],
  [
    'one feature of the console in another',
    {
      ...add('console/features/devices/device/D.tsx', `import '../../alerting/alerts/A.tsx'`),
      'console/features/alerting/alerts/A.tsx': '',
    },
    ['features-apart console/features/devices/device/D.tsx:1'],
  ],
  [
    'a feature in the gateway',
    add('server/gateway/broker.ts', `import '../features/alerting/alerts/alerts.routes.ts'`),
    ['downwards server/gateway/broker.ts:1'],
  ],
  [
    'main in a feature',
    add('server/features/devices/a/a.service.ts', `import '#server/app/server.ts'`),
    ['downwards server/features/devices/a/a.service.ts:1'],
  ],
  [
    'a screen in a picker',
    {
      ...add('console/pickers/P.tsx', `import '../features/alerting/alerts/A.tsx'`),
      'console/features/alerting/alerts/A.tsx': '',
    },
    ['downwards console/pickers/P.tsx:1'],
  ],
  [
    'the app in a control',
    { ...add('console/ui/B.tsx', `import '../app/App.tsx'`), 'console/app/App.tsx': '' },
    ['downwards console/ui/B.tsx:1'],
  ],
  ['a folder without a floor', add('server/things/x.ts', ''), ['known-floors server/things/x.ts:1']],
  [
    'the database in a route',
    add('server/features/alerting/alerts/alerts.routes.ts', `import '#server/db/connect/pool.ts'`),
    ['database-behind-stores server/features/alerting/alerts/alerts.routes.ts:4'],
  ],
  [
    'a row type in a service',
    add('server/features/devices/a/a.service.ts', `import type { Kysely } from 'kysely'`),
    ['database-behind-stores server/features/devices/a/a.service.ts:1'],
  ],
  [
    'a statement in a service that the database was handed to',
    add(
      'server/features/alerting/alerts/alerts.ts',
      `const rows = (db: { selectFrom(table: string): object }) => db.selectFrom('device')`,
      'rows(globalThis as never)',
    ),
    ['statements-in-stores server/features/alerting/alerts/alerts.ts:3'],
  ],
  [
    'an import of nothing',
    add('server/app/server.ts', `import './missing.ts'`),
    ['links-resolve server/app/server.ts:4'],
  ],
  [
    'an import without its extension',
    add('server/app/server.ts', `import './config'`),
    ['links-resolve server/app/server.ts:4'],
  ],
  ['a long file', add('device/agent/long.ts', ...Array(351).fill('//')), ['short-files device/agent/long.ts:1']],
  [
    'a long test',
    add('device/agent/long.test.ts', ...Array(501).fill('//')),
    ['short-files device/agent/long.test.ts:1'],
  ],
  ['a utils folder', add('device/utils/text.ts', ''), ['no-drawers device/utils/text.ts:1']],
  ['a file with Utils in its name', add('device/agent/textUtils.ts', ''), ['no-drawers device/agent/textUtils.ts:1']],
  ['a helpers file', add('device/agent/text.helpers.ts', ''), ['no-drawers device/agent/text.helpers.ts:1']],
  [
    'an index that only hands names on',
    {
      'server/telemetry/index.ts': `export { a } from './a.ts'\n`,
      'server/telemetry/a.ts': 'export const a = 1\n',
      ...used('telemetry/index.ts'),
    },
    ['no-barrels server/telemetry/index.ts:1'],
  ],
  [
    'a circle',
    { 'device/agent/a.ts': `import './b.ts'\n`, 'device/agent/b.ts': `\nimport './a.ts'\n` },
    ['no-cycles device/agent/a.ts:1'],
  ],
  [
    'a circle of types only',
    {
      'device/agent/a.ts': `import type { B } from './b.ts'\nexport type A = B\n`,
      'device/agent/b.ts': `import type { A } from './a.ts'\nexport type B = A\n`,
    },
    ['no-cycles device/agent/a.ts:1'],
  ],
  [
    'folders in a circle',
    {
      'device/agent/a.ts': `import '../hardware/b.ts'\n`,
      'device/agent/c.ts': '',
      'device/hardware/b.ts': '',
      'device/hardware/d.ts': `import '../agent/c.ts'\n`,
    },
    ['folders-in-order device/agent/a.ts:1'],
  ],
  [
    'a folder full of modules',
    Object.fromEntries([...Array(31).keys()].map((each) => [`device/agent/part${each}.ts`, ''])),
    ['roomy-folders device/agent:1'],
  ],
  [
    'a name that stands twice',
    { 'device/agent/link/link.ts': '', 'device/hardware/link.ts': '', 'device/hardware/main.ts': '' },
    ['name-once device/hardware/link.ts:1'],
  ],
  [
    'a function of more than a screen, where what is in it counts by itself',
    add(
      'device/agent/main.ts',
      'function long() {',
      ...Array(30).fill('  Math.abs(1)'),
      '  const inner = () => {',
      ...Array(40).fill('    Math.abs(1)'),
      '  }',
      '  inner()',
      ...Array(30).fill('  Math.abs(1)'),
      '}',
      'long()',
    ),
    ['short-functions device/agent/main.ts:2'],
  ],
  [
    'a function of the product that is long by what is in it, and the same in a tool',
    { ...add('device/agent/main.ts', ...LONG_BY_ITS_PARTS), ...add('tools/x.ts', ...LONG_BY_ITS_PARTS) },
    ['short-functions device/agent/main.ts:2'],
  ],
  [
    'names that only this house knows, and none of the field',
    add('domain/step.ts', 'interface MailTeller {}', 'class Doorbell {}', 'const stepNeeds = {}', 'const door = 1'),
    ['plain-names domain/step.ts:2', 'plain-names domain/step.ts:4'],
  ],
  [
    'comments that are no sentences, and lines that go on with one',
    add(
      'domain/step.ts',
      '/** Of the token. */',
      '// The digest is kept',
      '// In the place of the token.',
      'let step //',
      '/**',
      ' * For each device.',
      ' */',
      '// In order.',
    ),
    ['comments-are-sentences domain/step.ts:2', 'comments-are-sentences domain/step.ts:6'],
  ],
  [
    'the environment in a feature',
    add('server/app/server.ts', 'process.env.HOME'),
    ['environment-in-config server/app/server.ts:4'],
  ],
  [
    'the environment by another spelling',
    add('server/app/server.ts', `process['env']`),
    ['environment-in-config server/app/server.ts:4'],
  ],
  [
    'the environment unpacked',
    add('server/app/server.ts', 'const { env } = process', 'env'),
    ['environment-in-config server/app/server.ts:4'],
  ],
  [
    'the environment imported',
    add('server/app/server.ts', `import { env } from 'node:process'`),
    ['environment-in-config server/app/server.ts:4'],
  ],
  ['fetch in a screen', add('console/main.tsx', `fetch('/')`), ['network-in-links console/main.tsx:5']],
  [
    'fetch handed on',
    add('server/app/server.ts', 'const get = globalThis.fetch', 'get'),
    ['network-in-links server/app/server.ts:4'],
  ],
  [
    'a stream opened in a screen',
    add('console/main.tsx', `new EventSource('/')`),
    ['network-in-links console/main.tsx:5'],
  ],
  [
    'a call to others beside the door',
    add('server/app/server.ts', `import { createServer, request } from 'node:https'`, 'createServer(request)'),
    ['outbound-by-one-door server/app/server.ts:4'],
  ],
  [
    'all of HTTP beside the door',
    add('server/app/server.ts', `import * as http from 'node:http'`, 'http'),
    ['outbound-by-one-door server/app/server.ts:4'],
  ],
  [
    'HTTP loaded beside the door',
    add('server/app/server.ts', `const loaded = import('node:http')`, 'loaded'),
    ['outbound-by-one-door server/app/server.ts:4'],
  ],
  ['now in domain', add('domain/step.ts', 'Date.now()'), ['domain-without-clock domain/step.ts:2']],
  ['the present date in domain', add('domain/step.ts', 'new Date()'), ['domain-without-clock domain/step.ts:2']],
  ['chance in domain', add('domain/step.ts', 'Math.random()'), ['domain-without-clock domain/step.ts:2']],
  [
    'chance handed on in domain',
    add('domain/step.ts', 'const dice = Math.random', 'dice'),
    ['domain-without-clock domain/step.ts:2'],
  ],
  ['a stopwatch in domain', add('domain/step.ts', 'performance.now()'), ['domain-without-clock domain/step.ts:2']],
  [
    'an id out of nothing in domain',
    add('domain/step.ts', 'crypto.randomUUID()'),
    ['domain-without-clock domain/step.ts:2'],
  ],
  [
    'a new key in domain, where a digest is fine',
    add('domain/step.ts', `crypto.subtle.digest('SHA-256', new Uint8Array())`, 'crypto.subtle.generateKey()'),
    ['domain-without-clock domain/step.ts:3'],
  ],
  [
    'a package in the launcher, which never changes',
    add('device/launcher/main.ts', `import { readFileSync } from 'node:fs'`, `import 'zod'`, 'readFileSync'),
    ['launcher-alone device/launcher/main.ts:2'],
  ],
  [
    'the agent in the launcher',
    add('device/launcher/main.ts', `import '../agent/main.ts'`),
    ['launcher-alone device/launcher/main.ts:1'],
  ],
  ['a timer in domain', add('domain/step.ts', 'setTimeout(() => {}, 1)'), ['domain-without-clock domain/step.ts:2']],
  [
    'a stopwatch, dice and a nap in tests',
    add(
      'server/app/server.test.ts',
      `import { setTimeout as sleep } from 'node:timers/promises'`,
      'expect(performance.now() - 1).toBeLessThan(5)',
      'Math.random()',
      'new Promise((resolve) => setTimeout(resolve, 5))',
      'vi.waitUntil(isThere)',
      'sleep(1)',
      'expect(performance.now() - 1).toBeGreaterThan(5)',
    ),
    [1, 2, 3, 4, 5].map((line) => `tests-without-clock server/app/server.test.ts:${line}`),
  ],
  [
    'a unit of time of its own',
    add('server/app/server.test.ts', 'const HOUR_MS = 3_600_000', 'HOUR_MS'),
    ['one-home-for-units server/app/server.test.ts:1'],
  ],
  ['a name that nothing imports', add('domain/step.ts', 'export const unused = 1'), ['no-dead-code domain/step.ts:2']],
  [
    'a name that only its test imports',
    {
      ...add('domain/step.ts', 'export const tested = 1'),
      ...add('domain/step.test.ts', `import { tested } from './step.ts'`, 'tested'),
    },
    ['no-dead-code domain/step.ts:2'],
  ],
  [
    'an advisory lock by its function',
    {
      ...LOCKS,
      ...add('server/db/connect/pool.ts', "export const lock = 'select pg_try_advisory_xact_lock($1)'"),
      ...used('db/connect/pool.ts'),
    },
    ['locks-by-name server/db/connect/pool.ts:3'],
  ],
  [
    'the number of an advisory lock',
    { ...LOCKS, ...add('server/db/connect/pool.ts', 'export const LOCK = 7721'), ...used('db/connect/pool.ts') },
    ['locks-by-name server/db/connect/pool.ts:3'],
  ],
  [
    'an advisory lock in a new migration, beside a landed one',
    {
      ...LOCKS,
      'server/db/migrations/0011_overview.sql': 'select pg_advisory_lock(1);\n',
      'server/db/migrations/0012_later.sql': '\nselect pg_advisory_lock(1);\n',
    },
    ['locks-by-name server/db/migrations/0012_later.sql:2'],
  ],
  ...PLANTED_TEXTS,
]

test('a project in which every rule is kept has no offence', () => {
  expect(judge({})).toEqual([])
})

test.each(PLANTED)('%s is caught, and nothing else is', (_what, files, offences) => {
  expect(judge(files)).toEqual(offences)
})

test('a tree without a module is not a clean house', () => {
  const root = newFolder()
  writeFileSync(join(root, 'package.json'), '{}')
  const project = readProject(root)
  expect(ARCHITECTURE_RULES.filter(({ offences }) => offences(project).length > 0).map(({ name }) => name)).toEqual([
    'everything-seen',
  ])
})

test('every rule has an offence planted against it', () => {
  const planted = new Set(PLANTED.flatMap(([, , offences]) => offences.map((offence) => offence.split(' ')[0])))
  expect([...planted].sort()).toEqual(ARCHITECTURE_RULES.map(({ name }) => name).sort())
})

test('ARCHITECTURE.md says how many rules there are', () => {
  const page = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8')
  expect(page).toContain(`holds ${ARCHITECTURE_RULES.length} rules`)
})
