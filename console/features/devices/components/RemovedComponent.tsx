import { IconArrowBackUp } from '@tabler/icons-react'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'

interface Props {
  readonly name: string
  readonly onUndo: () => void
}

export function RemovedComponent({ name, onUndo }: Props) {
  return (
    <li className="component component-removed">
      <div className="component-head">
        <div>
          <h3>{name}</h3>
          <p>Will be removed when you save</p>
        </div>
        <ActionButton icon={IconArrowBackUp} iconSize={14} aria-label={`Keep ${name}`} onClick={onUndo}>
          Keep
        </ActionButton>
      </div>
    </li>
  )
}
