import type { ReactNode } from 'react'
import { Logo } from './Logo.tsx'
import { StreetScene } from './StreetScene.tsx'
import { useDocumentTitle } from './useDocumentTitle.ts'
import './EntryScreen.css'

interface EntryScreenProps {
  readonly title: string
  readonly lead: ReactNode
  readonly children: ReactNode
}

export function EntryScreen({ title, lead, children }: EntryScreenProps) {
  useDocumentTitle(title)
  return (
    <main className="login">
      <div className="login-scene">
        <StreetScene />
        <p className="login-claim">Every display on every street, in one place.</p>
        <p className="login-claim-more">
          Watch outdoor displays live, see what needs attention, and set it right without driving there.
        </p>
      </div>
      <div className="login-side">
        <div className="login-box">
          <div className="login-brand">
            <Logo size={34} />
            <span>Wayside</span>
          </div>
          <h1>{title}</h1>
          <p className="login-lead">{lead}</p>
          {children}
        </div>
      </div>
    </main>
  )
}
