import { Kbd, Modal } from '@mantine/core'
import { PAGE_PERMISSIONS } from '#console/app/navigation/pagePermissions.ts'
import { authorityOf, useUser } from '#console/lib/session/session.ts'
import { Toggle } from '#console/ui/form/Toggle.tsx'
import { isAllowed } from '#domain/permissions/permissions.ts'
import { KEY_TABLE, type KeyLine } from './keyTable.ts'
import { setLetterKeys, useLetterKeys } from './letterKeys.ts'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function KeysModal({ isOpen, onClose }: Props) {
  const authority = authorityOf(useUser())
  const leadsSomewhere = ({ does }: KeyLine) =>
    typeof does !== 'object' || isAllowed(PAGE_PERMISSIONS[does.goTo], authority)
  const groups = KEY_TABLE.map(({ where, lines }) => ({ where, lines: lines.filter(leadsSomewhere) })).filter(
    ({ lines }) => lines.length > 0,
  )
  const areOn = useLetterKeys()
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard shortcuts" size={760}>
      <div className="keys">
        {groups.map(({ where, lines }) => (
          <section key={where} aria-label={where} data-sequence={lines[0]?.second !== undefined || undefined}>
            <h3>{where}</h3>
            {lines[0]?.second !== undefined && (
              <p className="keys-first">
                Press <Kbd>{lines[0].keys[0]}</Kbd>, then
              </p>
            )}
            <dl>
              {lines.map(({ keys, second, meaning }) => (
                <div key={meaning}>
                  <dt>
                    {(second === undefined ? keys : [second]).map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="keys-switch">
        <Toggle label="Keys without Ctrl" isOn={areOn} onChange={setLetterKeys} />
      </div>
    </Modal>
  )
}
