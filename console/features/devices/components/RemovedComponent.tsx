import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'

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
        <Button
          variant="default"
          leftSection={<IconArrowBackUp size={14} aria-hidden />}
          aria-label={`Keep ${name}`}
          onClick={onUndo}
        >
          Keep
        </Button>
      </div>
    </li>
  )
}
