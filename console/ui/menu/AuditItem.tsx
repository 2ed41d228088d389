import { IconHistory } from '@tabler/icons-react'
import { useMay } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { AUDIT_ENTITY_IDS } from '#contract/call/call.ts'
import { listAudit } from '#contract/http/insight/auditLog.ts'
import { MenuItem } from './MenuItem.tsx'

/** It leads to who changed things of this kind. */
export function AuditItem({ of }: { readonly of: keyof typeof AUDIT_ENTITY_IDS }) {
  const mayAudit = useMay(listAudit.permission)
  if (!mayAudit) return null
  return (
    <MenuItem icon={IconHistory} to={address('/audit-log', { entityTypeId: AUDIT_ENTITY_IDS[of] })}>
      Audit log
    </MenuItem>
  )
}
