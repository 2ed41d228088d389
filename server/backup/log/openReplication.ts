import { BackupRefused } from '../seal/backupRefused.ts'
import { Replication } from './Replication.ts'

/** What is missing is said, and how it is given. */
export async function openReplication(ownerUrl: string, answersWithinMs?: number): Promise<Replication> {
  try {
    return await Replication.open(ownerUrl, answersWithinMs)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code !== '42501') throw error
    const role = decodeURIComponent(new URL(ownerUrl).username)
    throw new BackupRefused(
      `The role ${role} may not copy the database: let a superuser run "alter role ${role} replication". ` +
        `Where your provider does not let you, use its own backups.`,
    )
  }
}
