import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './run.ts'

const CONTAINERFILE = fileURLToPath(new URL('../../deploy/container/Containerfile', import.meta.url))
const SUITE = 'bookworm'
/** The programs of the archive need these beside what every system has. */
const LIBRARIES = 'libstdc++6'

/**
 * Builds an image of the archive on a base of Debian's packages: nothing else is fetched. `buildah` and `mmdebstrap`
 * make it as root, without a running engine.
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
