import { add, locked, manifest, type Planted } from './plantedHouse.ts'

const chain = [...Array(500).keys()].map((each) => [
  `node_modules/${each === 0 ? 'mqtt' : `p${each}`}`,
  { version: '1', dependencies: { [`p${each + 1}`]: '1' } },
])

/** These offences are in packages and in what is written for people. */
export const PLANTED_TEXTS: readonly Planted[] = [
  [
    'more packages than were counted, of the server and behind the client of devices',
    locked(Object.fromEntries(chain)),
    ['counted-packages package-lock.json:1', 'counted-packages package-lock.json:1'],
  ],
  [
    'a link and a path to nothing in a page',
    { 'docs/guide/a.md': '[a](a.md) [web](https://example.org) `server/app/server.ts`\n[b](b.md)\n`server/gone.ts`\n' },
    ['docs-lead-somewhere docs/guide/a.md:2', 'docs-lead-somewhere docs/guide/a.md:3'],
  ],
  [
    'a decision that the index leaves out',
    {
      'docs/decisions/README.md': '[1](devices/0001-one.md)\n',
      'docs/decisions/devices/0001-one.md': '',
      'docs/decisions/devices/0002-two.md': '',
    },
    ['decisions-indexed docs/decisions/devices/0002-two.md:1'],
  ],
  [
    'a citation whose rule is missing, and one of a document that is elsewhere',
    {
      'docs/rules/setup.md': '# Setup\n\n**1.** One.\n\n**1.** Once more.\n',
      ...add(
        'domain/step.ts',
        '// One (rules/setup 1) is there.',
        '// Two (rules/setup 2) is not.',
        '// The page of three (rules/display 3) is not.',
        `// This one (rules/${'setup'}) names no rule.`,
        `// P${1} §9 is elsewhere.`,
        `// So is this (${'decisions'}: Now).`,
      ),
    },
    ['cited-rules docs/rules/setup.md:5', ...[3, 4, 5, 6, 7].map((line) => `cited-rules domain/step.ts:${line}`)],
  ],
  [
    'a package of a package',
    add('server/app/server.ts', `import 'pg-protocol'`),
    ['declared-packages server/app/server.ts:4'],
  ],
  [
    'a browser package in the server',
    add('server/app/server.ts', `import 'react'`),
    ['production-packages server/app/server.ts:4'],
  ],
  [
    'a package of the device in the server, and one of the browser in the device',
    {
      ...manifest({ devDependencies: { vitest: '1', react: '1', typescript: '1', mqtt: '1' } }),
      ...add('device/agent/main.ts', `import 'mqtt'`, `import 'react'`),
      ...add('server/app/server.ts', `import 'mqtt'`),
    },
    ['production-packages device/agent/main.ts:3', 'production-packages server/app/server.ts:4'],
  ],
  [
    'a package that refuses the Node.js of "engines"',
    {
      ...manifest({ engines: { node: '>=20.19' } }),
      ...locked({
        'node_modules/one': { engines: { node: '>=22.0.0' } },
        'node_modules/other': { engines: { node: '18 || 20 || >=22' } },
        'node_modules/tool': { dev: true, engines: { node: '>=26' } },
        'node_modules/old': { engines: { node: '>=16 || 14 >=14.17' } },
      }),
    },
    ['suiting-engine package.json:1', 'suiting-engine package.json:1'],
  ],
  [
    'a package that nothing imports',
    manifest({ optionalDependencies: { mqtt: '1' } }),
    ['used-packages package.json:1'],
  ],
  [
    'an optional package without an entry',
    locked({ 'node_modules/a': { optionalDependencies: { b: '1' } } }),
    ['complete-lockfile package-lock.json:1'],
  ],
]
