import { sectionAnchor } from '#console/lib/sectionAnchor.ts'
import { address } from '#console/router/addressText.ts'
import { Link, useNavigate, usePathName } from '#console/router/Router.tsx'
import { PlainSelect } from '#console/ui/plain/PlainSelect.tsx'
import type { SectionState } from './sectionStates.ts'
import type { ListedSection } from './setupList.ts'

interface SectionListProps {
  readonly listed: readonly ListedSection[]
  readonly shown: ListedSection
  readonly isFixed: boolean
  readonly stateOf: (section: ListedSection) => SectionState
}

const GROUPS = ['Settings', 'Power'] as const

/** The sections are addresses; where there is no room for a list beside the section, they are a select. */
export function SectionList({ listed, shown, isFixed, stateOf }: SectionListProps) {
  const guid = usePathName('guid') ?? ''
  const navigate = useNavigate()
  const at = ({ title }: ListedSection) =>
    address(isFixed ? '/devices/$guid/setup' : '/devices/$guid/generic-setup', { guid }, sectionAnchor(title))
  return (
    <div className="setup-list">
      <nav className="panel" aria-label="Sections of the setup">
        {GROUPS.map((group) => {
          const ofGroup = listed.filter((section) => section.group === group)
          return (
            ofGroup.length > 0 && (
              <div key={group}>
                <h2>{group}</h2>
                <ul>
                  {ofGroup.map((section) => (
                    <li key={section.key}>
                      <SectionLink
                        section={section}
                        to={at(section)}
                        isShown={section === shown}
                        state={stateOf(section)}
                      />
                    </li>
                  ))}
                </ul>
              </div>
            )
          )
        })}
      </nav>
      <PlainSelect
        aria-label="Section"
        choices={listed.map((section) => ({
          value: section.key,
          label: [section.title, stateOf(section).text].filter(Boolean).join(' · '),
        }))}
        value={shown.key}
        onChange={(key) => {
          const chosen = listed.find((section) => section.key === key)
          if (chosen) navigate(at(chosen))
        }}
      />
    </div>
  )
}

interface SectionLinkProps {
  readonly section: ListedSection
  readonly to: ReturnType<typeof address>
  readonly isShown: boolean
  readonly state: SectionState
}

function SectionLink({ section: { title, icon: Sign }, to, isShown, state }: SectionLinkProps) {
  return (
    <Link to={to} aria-current={isShown ? 'true' : undefined}>
      <Sign size={16} aria-hidden />
      <span>{title}</span>
      {state.text !== '' && <small data-kind={state.kind}>{state.text}</small>}
    </Link>
  )
}
