import { BackupRefused } from '../seal/backupRefused.ts'
import { Replication } from './Replication.ts'

/** Opens the connection. The error says which right is missing, and how to grant it. */
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
