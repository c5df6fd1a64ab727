import { useLocalStorage } from '@mantine/hooks'
import { INCOMING, LOST, type Stage, WON } from '../../data/pipelines.ts'

type Folded = Record<string, boolean>

const keyOf = ({ pipeline_id, id }: Stage) => `${pipeline_id}:${id}`

/**
 * Keeps in this browser which columns are collapsed. By default: closed stages, and the incoming stage while it is
 * empty.
 */
export function useFolded() {
  const [folded, setFolded] = useLocalStorage<Folded>({
    key: 'patchbay-board-folded',
    defaultValue: {},
    getInitialValueInEffect: false,
  })
  return {
    isFolded: (stage: Stage, total: number | undefined) =>
      folded[keyOf(stage)] ?? (stage.id === WON || stage.id === LOST || (stage.type === INCOMING && !total)),
    fold: (stage: Stage, isFolded: boolean) =>
      setFolded((before) => ({ ...before, [keyOf(stage)]: isFolded })),
  }
}
