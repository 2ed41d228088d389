import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { readProject } from '../project.ts'
import { ARCHITECTURE_RULES } from '../rules.ts'

export type Files = Readonly<Record<string, string>>

/** This small project keeps every rule. */
const CLEAN: Files = {
  'package.json': JSON.stringify({
    imports: {
      '#domain/*': './domain/*',
      '#contract/*': './contract/*',
      '#server/*': './server/*',
      '#testing/*': './testing/*',
    },
    dependencies: { zod: '1', pg: '1', kysely: '1' },
    devDependencies: { vitest: '1', react: '1', typescript: '1' },
  }),
  'package-lock.json': JSON.stringify({ packages: { '': {} } }),
  'domain/step.ts': 'export const later = (from: Date, ms: number) => new Date(from.getTime() + ms)\n',
  'domain/step.test.ts': `import { test } from 'vitest'\nimport { later } from './step.ts'\ntest('later', () => { later(new Date(0), 1) })\n`,
  'contract/http/alerting/alerts.ts': `import { z } from 'zod'\nimport { later } from '#domain/step.ts'\nexport const answer = z.date().transform((at) => later(at, 1))\n`,
  'server/settings/config.ts': 'export const readConfig = () => process.env.PATH\n',
  'server/app/server.ts': `import { readConfig } from '../settings/config.ts'\nimport { joinFeatures } from './features.ts'\njoinFeatures(readConfig())\n`,
  'server/app/features.ts': `import { alertsFeature } from '../features/alerting/alerts/alerts.ts'\nexport const joinFeatures = (path?: string) => [alertsFeature(path)]\n`,
  'server/features/alerting/alerts/alerts.ts': `import { alertRoutes } from './alerts.routes.ts'\nexport const alertsFeature = (path?: string) => ({ routes: alertRoutes(path) })\n`,
  'server/features/alerting/alerts/alerts.routes.ts': `import { answer } from '#contract/http/alerting/alerts.ts'\nimport { alertRows } from './alerts.store.ts'\nexport const alertRoutes = (path?: string) => [answer, alertRows, path]\n`,
  'server/features/alerting/alerts/alerts.store.ts': `import { openPool } from '#server/db/connect/pool.ts'\nimport type { Kysely } from 'kysely'\nexport const alertRows = (db: Kysely<object>) => [openPool(), db]\n`,
  'server/db/connect/pool.ts': `import { Pool } from 'pg'\nexport const openPool = () => new Pool()\n`,
  'console/main.tsx': `import { useState } from 'react'\nimport { send } from './lib/send.ts'\nconst App = () => <b>{useState(send)}</b>\nApp()\n`,
  'console/lib/send.ts': `export const send = () => fetch('/')\n`,
  'device/agent/main.ts': 'setInterval(() => {}, 1000)\n',
}

/** Makes an empty folder that is removed after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wayside-rules-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** @returns every offence as "rule path:line" */
export function judge(changes: Files): readonly string[] {
  const root = newFolder()
  for (const [path, text] of Object.entries({ ...CLEAN, ...changes })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const project = readProject(root)
  return ARCHITECTURE_RULES.flatMap(({ name, offences }) =>
    offences(project).map(({ path, line }) => `${name} ${path}:${line}`),
  )
}

export const add = (path: string, ...lines: string[]): Files => ({
  [path]: `${CLEAN[path] ?? ''}${lines.join('\n')}\n`,
})

export const used = (path: string) => add('server/app/server.ts', `import * as all from '#server/${path}'`, 'all')

export const manifest = (changes: object): Files => ({
  'package.json': JSON.stringify({ ...JSON.parse(CLEAN['package.json'] ?? ''), ...changes }),
})

export const locked = (packages: Readonly<Record<string, object>>): Files => ({
  'package-lock.json': JSON.stringify({ packages }),
})

export type Planted = readonly [what: string, files: Files, offences: readonly string[]]
