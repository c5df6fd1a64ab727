import type { Pipeline } from '../data/pipelines.ts'
import type { Filter, FilterWords, Search, SearchChange } from '../parts/filters/filter.ts'
import { isOf, without } from '../parts/filters/filter.ts'
import { type Choice, ChoiceEditor, describeChoices } from '../parts/filters/filter-choices.tsx'
import { StageLabel } from '../parts/records/stage-label.tsx'

const MEMBER = 'filter[statuses]'
const owns = isOf(MEMBER)

/** Returns a filter by stages, each with its pipeline. */
export function stageFilter(words: FilterWords, title: string, pipelines: Pipeline[]): Filter {
  const choices = choicesOf(pipelines)
  return {
    name: 'stage',
    title,
    owns,
    describe: (search) => describeChoices(words, choices, chosenIn(search)),
    Editor: ({ search, onChange }) => (
      <ChoiceEditor
        label={title}
        choices={choices}
        chosen={chosenIn(search)}
        onChoose={(keys) => onChange({ ...without(search, owns), ...membersOf(keys) })}
      />
    ),
  }
}

const choicesOf = (pipelines: Pipeline[]): Choice[] =>
  pipelines.flatMap(({ id, name, _embedded: { statuses } }) =>
    statuses.map((stage) => ({
      value: `${id}:${stage.id}`,
      label: stage.name,
      mark: <StageLabel name="" color={stage.color} />,
      ...(pipelines.length > 1 && { group: name }),
    })),
  )

/** Both parameters of a pair have the same index: `[0][pipeline_id]`, `[0][status_id]`. */
function chosenIn(search: Search): string[] {
  const pairs = new Map<string, { pipeline_id?: string; status_id?: string }>()
  for (const [name, value] of Object.entries(search)) {
    const [, at, member] = /^filter\[statuses\]\[(\d+)\]\[(pipeline_id|status_id)\]$/.exec(name) ?? []
    if (at && member) pairs.set(at, { ...pairs.get(at), [member]: value })
  }
  return [...pairs.values()].map(({ pipeline_id, status_id }) => `${pipeline_id}:${status_id}`)
}

const membersOf = (keys: string[]): SearchChange =>
  Object.fromEntries(
    keys.flatMap((key, i) => {
      const [pipeline_id, status_id] = key.split(':')
      return [
        [`${MEMBER}[${i}][pipeline_id]`, pipeline_id],
        [`${MEMBER}[${i}][status_id]`, status_id],
      ]
    }),
  )
