import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useMay } from '#console/lib/session/session.ts'
import { Menu } from '#console/ui/kit/Menu.tsx'
import { MoreMenu } from '#console/ui/menu/MoreMenu.tsx'
import { type SavedView, setView, type ViewPage } from '#contract/http/devices/views.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { useViewCommands, type ViewAction } from './useViewCommands.ts'
import { useViews } from './useViews.ts'
import './views.css'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'

const ViewModal = lazyDialog(() => import('./ViewModal.tsx').then((part) => part.ViewModal))

export interface FixedView {
  readonly name: string
  /** It is null where there are more than the server counts, and undefined while it is not known. */
  readonly count: number | null | undefined
  readonly isShown: boolean
  readonly onOpen: () => void
}

interface Props {
  readonly page: ViewPage
  readonly fixed: readonly FixedView[]
  /** It is called when somebody has picked a view and its address is open. */
  readonly onOpened?: () => void
}

/** What people look at again and again is one click away: views of the product, then the saved ones. */
export function ViewTabs({ page, fixed, onOpened }: Props) {
  const views = useViews(page, onOpened)
  const { data, picked } = views
  const [edited, setEdited] = useState<SavedView | 'new'>()
  const ofPicked = useViewCommands(page, views, setEdited)
  const maySave = useMay(setView.permission)
  return (
    <nav className="view-tabs" aria-label="Views">
      {fixed.map(({ name, count, isShown, onOpen }) => (
        <Tab key={name} isShown={isShown && picked === undefined} onOpen={onOpen}>
          {name}
          {typeof count === 'number' && <span className="view-count"> {formatNumber(count)}</span>}
        </Tab>
      ))}
      {data?.views.map((view) => (
        <Tab
          key={view.id}
          isShown={view.id === picked?.id}
          title={aboutView(view, view.id === data.defaultId)}
          onOpen={() => views.open(view)}
        >
          {view.name}
        </Tab>
      ))}
      {picked && maySave && <PickedMenu name={picked.name} actions={ofPicked} />}
      {picked && views.isChanged && (
        <span className="view-changed">
          changed
          {picked.mayChange && picked.lost === null && (
            <Button variant="subtle" size="compact-sm" onClick={() => views.saveOver(picked)}>
              Save
            </Button>
          )}
          <Button variant="subtle" size="compact-sm" aria-label="Reset the view" onClick={() => views.open(picked)}>
            Reset
          </Button>
        </span>
      )}
      {maySave && (
        <button type="button" className="view-tab" onClick={() => setEdited('new')}>
          <IconPlus size={14} aria-hidden /> Save view
        </button>
      )}
      {edited && (
        <ViewModal
          page={page}
          view={edited === 'new' ? undefined : edited}
          content={edited === 'new' ? views.content : edited.content}
          onSaved={(view) => edited === 'new' && views.open(view)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </nav>
  )
}

function aboutView({ shareName, isOwn, ownerName }: SavedView, isDefault: boolean): string {
  const words = [shareName && `for ${shareName}`, !isOwn && ownerName && `by ${ownerName}`, isDefault && 'default']
  return words.filter(Boolean).join(', ')
}

interface TabProps {
  readonly isShown: boolean
  readonly title?: string
  readonly onOpen: () => void
  readonly children: ReactNode
}

const Tab = ({ isShown, title, onOpen, children }: TabProps) => (
  <button
    type="button"
    className="view-tab"
    title={title || undefined}
    aria-current={isShown || undefined}
    onClick={onOpen}
  >
    {children}
  </button>
)

interface PickedProps {
  readonly name: string
  readonly actions: readonly ViewAction[]
}

const PickedMenu = ({ name, actions }: PickedProps) => (
  <MoreMenu of={`view ${name}`} isInRow>
    {actions.map(({ short, isDangerous, run }) => (
      <Menu.Item key={short} {...(isDangerous && { color: 'red' })} onClick={run}>
        {short}
      </Menu.Item>
    ))}
  </MoreMenu>
)
