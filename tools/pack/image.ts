import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './run.ts'

const CONTAINERFILE = fileURLToPath(new URL('../../deploy/container/Containerfile', import.meta.url))
const SUITE = 'bookworm'
/** What the programs of the archive want of a system, beside what every one has. */
const LIBRARIES = 'libstdc++6'

/**
 * An image of the archive, on a base that is made of Debian's packages: nothing else is fetched. Made by `buildah` and
 * `mmdebstrap`, as root, without an engine that runs.
 *
 * @returns the file, which `podman load` and `docker load` take
 */
export function buildImage(archive: string, version: string, out: string): string {
  const staging = mkdtempSync(join(out, '.image-'))
  const base = `localhost/wayside-base:${version}`
  const name = `localhost/wayside:${version}`
  const file = archive.replace(/\.tar\.gz$/, '-image.tar')
  try {
    const root = join(staging, 'base.tar')
    run('mmdebstrap', ['--quiet', '--variant=essential', `--include=${LIBRARIES}`, SUITE, root], staging)
    const container = run('buildah', ['from', 'scratch'], staging)
    run('buildah', ['add', '--quiet', container, root, '/'], staging)
    run('buildah', ['commit', '--quiet', '--rm', container, base], staging)
    copyFileSync(archive, join(staging, basename(archive)))
    const given = ['--build-arg', `BASE=${base}`, '--build-arg', `ARCHIVE=${basename(archive)}`]
    run(
      'buildah',
      ['bud', '--quiet', '--isolation', 'chroot', '--squash', ...given, '-t', name, '-f', CONTAINERFILE, staging],
      staging,
    )
    rmSync(file, { force: true })
    run('buildah', ['push', '--quiet', name, `docker-archive:${file}:${name}`], staging)
    return file
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}
