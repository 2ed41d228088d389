import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#server/config.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/embeddedPostgres.ts'
import { migrate } from '#server/db/migrate.ts'

/** A migrated database for a benchmark: the one that is configured, or an embedded one that goes away with it. */
export async function openPlace() {
  const { databaseUrl, databaseOwnerUrl } = readConfig()
  const given = databaseOwnerUrl ?? databaseUrl
  if (given !== undefined) {
    await migrate(given)
    return { ownerUrl: given, applicationUrl: given, isOwner: true, close: async () => undefined }
  }
  const folder = mkdtempSync(join(tmpdir(), 'wayside-bench-'))
  const postgres = await startEmbeddedPostgres({ dataFolder: folder, systemFolder: folder })
  await migrate(postgres.ownerUrl)
  const { ownerUrl, applicationUrl } = postgres
  return {
    ownerUrl,
    applicationUrl,
    isOwner: false,
    close: async () => {
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
