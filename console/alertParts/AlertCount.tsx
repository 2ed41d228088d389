import { IconBellFilled } from '@tabler/icons-react'
import '#console/ui/Badge.css'

/** It counts a device's Opened and Active alerts, and stands out only where there are any; a count has no severity, so it has no colour of one. */
export function AlertCount({ count }: { readonly count: number }) {
  if (count === 0) return <span className="dim">0</span>
  return (
    <span className="alert-count">
      <IconBellFilled size={14} aria-hidden />
      {count}
    </span>
  )
}
