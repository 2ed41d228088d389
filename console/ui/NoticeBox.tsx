import type { IconPlugConnectedX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import './NoticeBox.css'

interface Props {
  readonly icon: typeof IconPlugConnectedX
  /** Only what the Overview counts as a problem has the colour of a severity. */
  readonly tone?: 'warn'
  readonly children: ReactNode
}

/** The box explains why a page shows other values of a device than people expect. */
export const NoticeBox = ({ icon: Icon, tone, children }: Props) => (
  <div className="notice-box" data-tone={tone} role="status">
    <Icon size={18} aria-hidden />
    <span>{children}</span>
  </div>
)
