import { type Release, type ReleaseList, release, releaseList } from '#contract/http/software/releases.ts'

export function releaseOf(version: string, changes: Readonly<Record<string, unknown>> = {}): Release {
  return release.parse({
    id: 1,
    version,
    bytes: 1_234_567,
    sha256: 'a1'.repeat(32),
    uploadedAt: '2026-11-01T10:00:00.000Z',
    uploadedBy: 'eva@example.com',
    isNewest: true,
    deviceCount: 4,
    openUpdateCount: 0,
    ...changes,
  })
}

export function releaseListOf(...versions: readonly string[]): ReleaseList {
  return releaseList.parse({
    rows: versions.map((version, index) => releaseOf(version, { id: versions.length - index, isNewest: index === 0 })),
    refusedFiles: [],
    keyCount: 1,
    folder: '/data/releases',
    versions: [],
  })
}
