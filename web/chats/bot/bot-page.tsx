import { ActionIcon, Button } from '@mantine/core'
import { IconPencil, IconPlus, IconRobot, IconSettings, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { botOptions } from '../../data/bots.ts'
import { type Intent, intentsOptions, removeIntent } from '../../data/intents.ts'
import { Confirm } from '../../parts/dialogs/confirm.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { EmptyState } from '../../parts/layout/empty-state.tsx'
import { Loaded } from '../../parts/layout/loaded.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { DataTable } from '../../parts/lists/data-table.tsx'
import classes from './bot.module.css'
import { BotDialog } from './bot-dialog.tsx'
import { IntentDialog } from './intent-dialog.tsx'

/** The topics of the reply bot: phrases and answers. */
export function BotPage() {
  const { t } = useTranslation()
  const query = useQuery(intentsOptions)
  const [edited, setEdited] = useState<Intent | 'new'>()
  const { data: bot } = useQuery(botOptions)
  const [areSettingsOpen, setSettingsOpen] = useState(false)
  const add = (
    <Button leftSection={<IconPlus size={15} />} onClick={() => setEdited('new')}>
      {t('bot.add')}
    </Button>
  )
  return (
    <Page
      title={t('bot.title')}
      lead={t('bot.lead')}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconSettings size={15} />}
            disabled={!bot}
            onClick={() => setSettingsOpen(true)}
          >
            {t('bot.settings')}
          </Button>
          {(query.data?.length ?? 0) > 0 && add}
        </>
      }
    >
      <Loaded query={query}>
        {(intents) =>
          intents.length === 0 ? (
            <EmptyState icon={IconRobot} title={t('bot.empty_title')} action={add}>
              {t('bot.empty_text')}
            </EmptyState>
          ) : (
            <Intents intents={intents} onEdit={setEdited} />
          )
        }
      </Loaded>
      {bot && areSettingsOpen && <BotDialog bot={bot} onClose={() => setSettingsOpen(false)} />}
      {edited && (
        <IntentDialog intent={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </Page>
  )
}

function Intents({ intents, onEdit }: { intents: Intent[]; onEdit: (intent: Intent) => void }) {
  const { t } = useTranslation()
  const [removing, setRemoving] = useState<Intent>()
  return (
    <>
      <DataTable
        label={t('bot.title')}
        rows={intents}
        rowKey={({ id }) => id}
        columns={[
          {
            title: t('bot.column.name'),
            cell: (intent) => (
              <button type="button" className={classes.name} onClick={() => onEdit(intent)} data-row-link>
                {intent.name}
              </button>
            ),
          },
          {
            title: t('bot.column.phrases'),
            showFrom: 'medium',
            cell: ({ phrases }) => <Phrases of={phrases} />,
          },
          {
            title: t('bot.column.answer'),
            showFrom: 'wide',
            cell: ({ answer }) => <span className={classes.answer}>{answer}</span>,
          },
          {
            title: t('bot.column.actions'),
            actions: true,
            cell: (intent) => <IntentButtons intent={intent} onEdit={onEdit} onRemove={setRemoving} />,
          },
        ]}
      />
      <RemoveIntent intent={removing} onClose={() => setRemoving(undefined)} />
    </>
  )
}

/** The first phrases, and the number of the others. */
function Phrases({ of }: { of: string[] }) {
  const { t } = useTranslation()
  const shown = of.slice(0, 3)
  const more = of.length - shown.length
  return (
    <span className={classes.phrases}>
      {shown.map((phrase) => (
        <q key={phrase}>{phrase}</q>
      ))}
      {more > 0 && <span className={classes.more}>{t('bot.more_phrases', { count: more })}</span>}
    </span>
  )
}

interface IntentButtonsProps {
  intent: Intent
  onEdit: (intent: Intent) => void
  onRemove: (intent: Intent) => void
}

function IntentButtons({ intent, onEdit, onRemove }: IntentButtonsProps) {
  const { t } = useTranslation()
  const { name } = intent
  return (
    <span className={classes.buttons}>
      <ActionIcon
        variant="subtle"
        color="gray"
        onClick={() => onEdit(intent)}
        aria-label={t('bot.edit_of', { name })}
        title={t('bot.edit_of', { name })}
      >
        <IconPencil size={16} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        onClick={() => onRemove(intent)}
        aria-label={t('bot.remove_of', { name })}
        title={t('bot.remove_of', { name })}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </span>
  )
}

function RemoveIntent({ intent, onClose }: { intent: Intent | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  const remove = useAction(removeIntent, t('bot.removed'))
  return (
    <Confirm
      opened={intent !== undefined}
      title={t('bot.remove_title', { name: intent?.name ?? '' })}
      action={t('bot.remove')}
      pending={remove.pending}
      onConfirm={() => intent && remove.run(intent.id, onClose)}
      onClose={onClose}
    >
      <p>{t('bot.remove_text')}</p>
    </Confirm>
  )
}
