import { useState } from 'react'
import { useBundledJson } from '#console/lib/call/bundledFile.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { formatNumber } from '#domain/units/numbers.ts'
import type { Notices } from './notices.ts'
import './licences.css'

export function LicencesScreen() {
  const notices = useBundledJson<Notices>('/licences.json')
  return (
    <Screen title="Licences">
      <AsyncView query={notices}>
        {({ parts, texts }) => (
          <Panel title="Third-party software" meta={`${formatNumber(parts.length)} parts`}>
            <ul className="licences">
              {parts.map(({ name, version, licence, text }) => (
                <li key={`${name} ${version}`}>
                  <Part title={`${name} ${version}`} licence={licence} text={texts[text] ?? ''} />
                </li>
              ))}
            </ul>
          </Panel>
        )}
      </AsyncView>
    </Screen>
  )
}

interface PartProps {
  readonly title: string
  readonly licence: string
  readonly text: string
}

/** The texts are long, so one is drawn only when it is opened. */
function Part({ title, licence, text }: PartProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {title} <small>{licence}</small>
      </summary>
      {isOpen && <pre>{text}</pre>}
    </details>
  )
}
