-- Drives a real Neovim: the diagnostic is shown, a field is completed, an event is renamed over two files. Prints one JSON line.
local folder = vim.env.SCHEMAC_FOLDER
local command = vim.json and vim.json.decode(vim.env.SCHEMAC_COMMAND) or vim.fn.json_decode(vim.env.SCHEMAC_COMMAND)
local found = {}

vim.cmd('edit ' .. folder .. '/schema/b.schema')
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({ name = 'schemac', cmd = command, root_dir = folder })
vim.lsp.buf_attach_client(buffer, client)

local function wait(what, condition)
  if not vim.wait(60000, condition, 50) then error('waited in vain for ' .. what) end
end
local function ask(method, parameters)
  local answers = vim.lsp.buf_request_sync(buffer, method, parameters, 60000)
  for _, answer in pairs(answers or {}) do return answer.result, answer.error end
end
local function position(line, character)
  return { textDocument = { uri = vim.uri_from_bufnr(buffer) }, position = { line = line, character = character } }
end

wait('the diagnostic', function() return #vim.diagnostic.get(buffer) > 0 end)
local diagnostic = vim.diagnostic.get(buffer)[1]
found.diagnostic = { diagnostic.code or diagnostic.user_data.lsp.code, diagnostic.lnum, diagnostic.col, diagnostic.source }

vim.api.nvim_buf_set_lines(buffer, 0, -1, false, { 'CREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT Done (', '' })
local items = ask('textDocument/completion', position(0, 64))
found.completion = vim.tbl_map(function(item) return item.label end, items.items or items)

vim.api.nvim_buf_set_lines(buffer, 0, -1, false, { 'CREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT Done (what := 1);' })
wait('no diagnostic', function() return #vim.diagnostic.get(buffer) == 0 end)
local parameters = position(0, 60)
parameters.newName = 'Finished'
local edit = ask('textDocument/rename', parameters)
vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
vim.cmd('silent wall')
vim.lsp.stop_client(client)
found.renamed = {}
for _, name in ipairs({ 'a', 'b' }) do
  found.renamed[name] = table.concat(vim.fn.readfile(folder .. '/schema/' .. name .. '.schema'), '\n')
end
io.stdout:write(vim.fn.json_encode(found) .. '\n')
vim.cmd('qall!')
