import type { IconPlugConnectedX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import './NoticeBox.css'

interface Props {
  readonly icon: typeof IconPlugConnectedX
  readonly children: ReactNode
}

/** Why what a page shows of a device is not what people expect of it; comes and goes while the page is open. */
export const NoticeBox = ({ icon: Icon, children }: Props) => (
  <div className="notice-box" role="status">
    <Icon size={18} aria-hidden />
    <span>{children}</span>
  </div>
)
