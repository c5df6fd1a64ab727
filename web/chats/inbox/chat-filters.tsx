import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { chatStates } from '../../../src/chats/inbox/chat-filter.ts'
import { channelsOptions } from '../../data/channels.ts'
import type { Chat, ChatFilter } from '../../data/chats.ts'
import { QueryBox } from '../../parts/filters/query-box.tsx'
import { useIsAdministrator } from '../../shell/use-session.ts'
import classes from './chat-list.module.css'
import { useFilter, useSetFilter } from './filters.ts'

const all = 'all'

export function ChatFilters({ known }: { known: Chat[] }) {
  const { t } = useTranslation()
  const filter = useFilter()
  const set = useSetFilter()
  const channels = useChannels(known, filter.channel)
  return (
    <div className={classes.filters}>
      <QueryBox label={t('inbox.search')} query={filter.query} onAsk={(query) => set({ query })} />
      <Select
        aria-label={t('inbox.filter.state')}
        value={filter.state ?? all}
        onChange={(state) => set({ state: chatStates.find((one) => one === state) })}
        data={[all, ...chatStates].map((value) => ({
          value,
          label: t(`inbox.state.${value as 'all'}`),
        }))}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      />
      <Select
        aria-label={t('inbox.filter.channel')}
        value={filter.channel ?? all}
        onChange={(channel) => set({ channel: channel === all || !channel ? undefined : channel })}
        data={[{ value: all, label: t('inbox.every_channel') }, ...channels]}
        comboboxProps={{ width: 'max-content', position: 'bottom-end' }}
      />
    </div>
  )
}

/** Administrators can list all channels; others see those of their conversations. */
function useChannels(known: Chat[], chosen: ChatFilter['channel']) {
  const own = useQuery({ ...channelsOptions, enabled: useIsAdministrator() })
  const names = new Map(known.map(({ channel }) => [channel.id, channel.name]))
  for (const { id, name } of own.data ?? []) names.set(id, name)
  if (chosen && !names.has(chosen)) names.set(chosen, chosen)
  return [...names].map(([value, label]) => ({ value, label }))
}
