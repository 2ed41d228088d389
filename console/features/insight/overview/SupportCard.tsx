import { IconExternalLink, IconLifebuoy } from '@tabler/icons-react'
import { useCall } from '#console/lib/call/useCall.ts'
import { getConsoleSettings } from '#contract/http/operation/consoleSettings.ts'

/** It opens the support site of this installation in a new tab, and is absent where none is configured. */
export function SupportCard() {
  const settings = useCall(getConsoleSettings, {}, { freshMs: Number.POSITIVE_INFINITY })
  const url = settings.data?.supportUrl
  if (url === undefined) return null
  return (
    <a className="support-card" href={url} target="_blank" rel="noopener noreferrer">
      <IconLifebuoy size={20} aria-hidden />
      <span>
        <strong>Support</strong>
        <small>Help and contact, in a new tab</small>
      </span>
      <IconExternalLink size={16} aria-hidden />
    </a>
  )
}
