export type ColumnType = 'uuid' | 'text' | 'integer' | 'double precision' | 'boolean' | 'date' | 'timestamptz'

/** The published tables and their columns; nothing else of the database has a name here. */
export const TABLES: Readonly<Record<string, Readonly<Record<string, ColumnType>>>> = {
  experimentos: {
    id: 'uuid',
    nome: 'text',
    descricao: 'text',
    data_inicio: 'date',
    data_fim: 'date',
    status: 'text',
    cultura_id: 'integer',
    localizacao_id: 'integer',
    solo_id: 'integer',
    pesquisador_id: 'uuid',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  culturas: { id: 'integer', nome_cultura: 'text' },
  fabricantes: { id: 'integer', nome: 'text', ativo: 'boolean' },
  regioes: { id: 'integer', nome: 'text', sigla: 'text' },
  estados: { sigla: 'text', nome: 'text' },
  protocolos_experimentos: {
    experimento_id: 'uuid',
    ordem: 'integer',
    regional: 'text',
    bu: 'text',
    marca: 'text',
    roi: 'double precision',
    custo_protocolo: 'double precision',
    tratamento_nome: 'text',
  },
}
