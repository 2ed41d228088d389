import type { IconPlugConnectedX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import './NoticeBox.css'

interface Props {
  readonly icon: typeof IconPlugConnectedX
  readonly children: ReactNode
}

/** The box explains why a page shows other values of a device than people expect. */
export const NoticeBox = ({ icon: Icon, children }: Props) => (
  <div className="notice-box" role="status">
    <Icon size={18} aria-hidden />
    <span>{children}</span>
  </div>
)
