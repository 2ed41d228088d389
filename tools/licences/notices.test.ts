import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { billOfMaterials } from '../materials.ts'
import { bundleAgent } from '../releaseBundle.ts'
import { licences } from './licencesPlugin.ts'
import { noticesOfProduct, noticesText, readNotices } from './notices.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

interface Bill {
  readonly components: readonly { readonly name: string; readonly version: string }[]
}

test('every component of the bill of materials has a notice, and so has what is no package', () => {
  const notices = noticesOfProduct(ROOT, '0.0.0', new Set(['react']))
  const named = new Set(notices.map(({ name, version }) => `${name} ${version}`))
  const { components } = JSON.parse(billOfMaterials(ROOT, 'wayside', '0.0.0')) as Bill
  expect(components.length).toBeGreaterThan(100)
  expect(components.filter(({ name, version }) => !named.has(`${name} ${version}`))).toEqual([])
  expect(notices.filter(({ licence, text }) => licence === '' || text.length < 90)).toEqual([])
  const text = noticesText(notices)
  for (const owed of [
    'GeoNames',
    'Natural Earth',
    'PostgreSQL Global Development Group',
    'SIL OPEN FONT LICENSE',
    'Our World in Data',
  ]) {
    expect(text).toContain(owed)
  }
  expect(notices.find(({ name }) => name === 'date-holidays')?.text).toMatch(/CC BY-SA 3\.0|CC-BY/)
}, 60_000)

test('a console carries the notices of the packages whose modules and fonts it has', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wayside-licences-'))
  const font = join(ROOT, 'node_modules/@fontsource-variable/geist-mono/wght.css')
  writeFileSync(join(folder, 'style.css'), `@import ${JSON.stringify(font)};`)
  writeFileSync(
    join(folder, 'entry.js'),
    `import './style.css'\nimport L from ${JSON.stringify(join(ROOT, 'node_modules/leaflet'))}\nconsole.log(L)`,
  )
  writeFileSync(join(folder, 'index.html'), '<script type="module" src="./entry.js"></script>')
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    plugins: [licences()],
    build: { assetsInlineLimit: 0 },
  })
  const notices = readNotices(join(folder, 'dist/licences.json'))
  expect(notices.find(({ name }) => name === 'leaflet')?.text).toContain('Redistributions in binary form')
  expect(notices.find(({ name }) => name.includes('geist-mono'))?.text).toContain('SIL OPEN FONT LICENSE')
  expect(readFileSync(join(folder, 'dist/licences.json'), 'utf8')).not.toContain('"name":"react"')
}, 120_000)

test('a release of the client carries the notices of all that is in it', async () => {
  const { program, packages } = await bundleAgent('1.2.3')
  const text = new TextDecoder().decode(program)
  const owed = text.slice(text.indexOf('/* Licences of what is in this program.'))
  expect(packages.size).toBeGreaterThan(1)
  for (const name of packages) expect(owed).toMatch(new RegExp(`^${name} \\d+\\.\\d+`, 'm'))
  expect(owed).toContain('Permission is hereby granted')
}, 120_000)
