-- What somebody does in Neovim with a broken card; what is seen is written as JSON.
local seen, file, out = {}, vim.env.KB_FILE, vim.env.KB_OUT

local function ask(method, params)
  local found = vim.lsp.buf_request_sync(0, method, params, 60000) or {}
  local _, answer = next(found)
  return answer and (answer.result or answer.error)
end

local function until_count(count)
  vim.wait(60000, function() return #vim.diagnostic.get(0) == count end, 20)
  return vim.tbl_map(function(each)
    return { line = each.lnum, column = each.col, message = each.message, code = each.code }
  end, vim.diagnostic.get(0))
end

local function look()
  vim.cmd("edit " .. file)
  seen.filetype = vim.bo.filetype
  seen.broken = until_count(1)
  vim.fn.search("adjacent")
  local here = vim.lsp.util.make_position_params()
  seen.hover = ask("textDocument/hover", here).contents.value
  seen.omnifunc = vim.bo.omnifunc
  local items = ask("textDocument/completion", here)
  seen.completion = vim.tbl_map(function(each) return each.label end, items.items)
  vim.cmd("%s/mime/mine/")
  seen.mended = until_count(0)
  vim.fn.cursor(1, 1)
  vim.fn.search("card dale_k", "e")
  local rename = vim.lsp.util.make_position_params()
  rename.newName = "miller"
  vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", rename), "utf-16")
  vim.cmd("wall")
  seen.renamed = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  seen.after = until_count(0)
  vim.fn.cursor(1, 1)
  vim.fn.search("above and below")
  vim.cmd("KbWhy a1")
  vim.wait(60000, function() return #vim.api.nvim_list_wins() > 1 end, 20)
  local float = vim.api.nvim_list_wins()[2]
  seen.why = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(float), 0, -1, false)
end

local fine, fault = pcall(look)
seen.fault = not fine and tostring(fault) or nil
vim.fn.writefile({ vim.fn.json_encode(seen) }, out)
vim.cmd("qall!")
