import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Filter, type FilterEditorProps, type FilterWords, isOf, without } from './filter.ts'
import classes from './filter-bar.module.css'

interface TextFilter {
  name: string
  title: string
  member: string
  /** A hint about the format of the value. */
  hint?: string
}

/** Returns a filter by a text. */
export function textFilter(_words: FilterWords, { name, title, member, hint }: TextFilter): Filter {
  const owns = isOf(member)
  return {
    name,
    title,
    owns,
    describe: (search) =>
      Object.entries(search)
        .filter(([key]) => owns(key))
        .map(([, value]) => value)
        .join(', ') || null,
    Editor: (props) => <TextEditor {...props} title={title} member={member} hint={hint} />,
  }
}

/** Milliseconds without typing before the filter applies. */
const REST = 350

function TextEditor({
  search,
  onChange,
  title,
  member,
  hint,
}: FilterEditorProps & Pick<TextFilter, 'title' | 'member' | 'hint'>) {
  const { t } = useTranslation()
  const owns = isOf(member)
  const [typed, setTyped] = useState(() => Object.entries(search).find(([name]) => owns(name))?.[1] ?? '')
  const ask = useDebouncedCallback(
    (text: string) => onChange({ ...without(search, owns), [member]: text.trim() || undefined }),
    { delay: REST, flushOnUnmount: true },
  )
  return (
    <div className={classes.text}>
      <TextInput
        aria-label={title}
        description={hint ?? t('filters.exact_hint')}
        inputWrapperOrder={['input', 'description']}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          ask(event.currentTarget.value)
        }}
        maxLength={1_024}
        data-autofocus
      />
    </div>
  )
}
