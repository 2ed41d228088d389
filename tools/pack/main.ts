import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildConsole } from '../console.mjs'
import { noticesText, readNotices } from '../licences/notices.ts'
import { billOfMaterials, MaterialsError } from '../materials.ts'
import { buildImage } from './image.ts'
import { layPayload } from './payload.ts'
import { PackError, run } from './run.ts'

const USAGE = `Usage: npm run pack -- [--out DIR] [--image]
Writes wayside-VERSION-PLATFORM.tar.gz: the server for this kind of machine with all its packages, ready to be unpacked.
  --out    default: dist
  --image  a container image of it too, as root, by Debian's buildah and mmdebstrap`

function readRequested(): { readonly out: string; readonly wantsImage: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        out: { type: 'string', default: 'dist' },
        image: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (!values.help) return { out: resolve(values.out), wantsImage: values.image }
  } catch (error) {
    throw new PackError(`${(error as Error).message}\n${USAGE}`)
  }
  throw new PackError(USAGE)
}

/** The same sources give the same archive, whoever packs them and when. */
const REPRODUCIBLE = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=go=rX,u+rw']

async function pack(): Promise<void> {
  const { out, wantsImage } = readRequested()
  await buildConsole()
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly version: string
  }
  const name = `wayside-${version}`
  const file = join(out, `${name}-${process.platform}-${process.arch}.tar.gz`)
  mkdirSync(out, { recursive: true })
  // It lies beside the archive, because it is large and the temporary folder may be in memory.
  const staging = mkdtempSync(join(out, '.pack-'))
  try {
    const folder = join(staging, name)
    mkdirSync(folder)
    layPayload(folder)
    cpSync(new URL('../../dist/console', import.meta.url), join(folder, 'dist/console'), { recursive: true })
    writeFileSync(join(folder, 'LICENCES.txt'), noticesText(readNotices(join(folder, 'dist/console/licences.json'))))
    const materials = billOfMaterials(folder, 'wayside', version)
    writeFileSync(join(folder, 'wayside.cdx.json'), materials)
    writeFileSync(file.replace(/\.tar\.gz$/, '.cdx.json'), materials)
    run('npm', ['ci', '--omit=dev', '--include=optional', '--loglevel=error'], folder)
    rmSync(join(folder, 'node_modules', '.package-lock.json'), { force: true })
    run('tar', ['-c', '-I', 'gzip -n', ...REPRODUCIBLE, '-f', `${file}.new`, name], staging)
    renameSync(`${file}.new`, file)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
  console.log(`Packed ${file}`)
  if (wantsImage) console.log(`Built ${buildImage(file, version, out)}`)
}

try {
  await pack()
} catch (error) {
  if (!(error instanceof PackError || error instanceof MaterialsError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
